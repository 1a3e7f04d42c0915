"""Daemons forked from a process that has imported the program already: `python -m tests.system.nursery_program SOCKET`.

A connection asks for one daemon (a line of JSON) and is told its pid, then what it prints, then how it ended. What runs
in the child is `carrusel` itself from its `main` on, in a session of its own, after a function that the test names.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
from functools import partial
from typing import Any

from controller.adapters import people
from controller.adapters.entropy import DrawSource
from controller.adapters.passwords import ArgonPasswords, Cost
from controller.rooms import table_room
from tests.system.steady_program import be_steady

QUEUE = 16
LONGEST_REQUEST = 65536
SEEDS_OF_A_CHAIN = 64


def import_everything() -> None:
    """What a daemon imports when it runs, so that its children need not."""
    import controller.adapters.link.mqtt
    import controller.api.app
    import controller.cli
    import controller.commands.run
    import controller.main  # noqa: F401  # only that it is there
    from controller.adapters.hardware.devices import known_hardware

    known_hardware()


def become_daemon(wish: dict[str, Any], said: socket.socket) -> None:
    """In the child: `carrusel run` with its output on the connection and its complaints in the log."""
    os.setsid()
    os.dup2(said.fileno(), 1)
    log = os.open(wish["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 2)
    said.close()
    sys.stdout = os.fdopen(1, "w", buffering=1, closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    module, _, name = wish["before"].partition(":")
    getattr(importlib.import_module(module), name)(*wish["facts"])
    sys.argv = ["carrusel", "run", "--config", wish["config"]]
    from controller.__main__ import main

    main()


def born(wish: dict[str, Any], asked: socket.socket) -> None:
    """A process that has one child, the daemon, and tells what becomes of it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid == 0:
        try:
            become_daemon(wish, asked)
        except SystemExit as ended:
            os._exit(ended.code if isinstance(ended.code, int) else 1)
        os._exit(0)
    asked.sendall(f"pid {pid}\n".encode())
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(OSError):
        asked.sendall(f"ended {os.waitstatus_to_exitcode(status)}\n".encode())


def make_quick() -> None:
    """What costs a start and a login half a second of the processor costs next to nothing in this process.

    PINs are hashed with Argon2's least parameters, and a chain of seeds is as short as an evening allows.
    """
    least = Cost(time=1, memory_kib=8, lanes=1)
    people.ArgonPasswords = lambda: ArgonPasswords(least)  # type: ignore[assignment]  # only in this process
    table_room.DrawSource = partial(DrawSource, length=SEEDS_OF_A_CHAIN)  # type: ignore[misc]  # only in this process


def serve(path: str) -> None:
    """Until this process is ended."""
    import_everything()
    make_quick()
    be_steady()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who tells of a daemon is nobody's child once it has told
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(path)
        listening.listen(QUEUE)
        print("ready", flush=True)
        while True:
            asked, _ = listening.accept()
            wish = json.loads(asked.recv(LONGEST_REQUEST))
            if os.fork() == 0:
                listening.close()
                born(wish, asked)
                os._exit(0)
            asked.close()


if __name__ == "__main__":
    serve(sys.argv[1])
