"""Real servers that tests start for themselves: Mosquitto on a free port, PostgreSQL in a directory of its own."""

import contextlib
import dataclasses
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

HOST = "127.0.0.1"
PORTS = range(12_000, 32_000)
"""Below those that Linux takes by itself (ip_local_port_range)."""
_given: set[int] = set()
START_DEADLINE_S = 120.0  # a loaded machine takes long over the fsync of a whole cluster

# Tool -> places off a user's PATH; the Debian packages are in scripts/prepare.py.
TOOL_PLACES: dict[str, tuple[str, ...]] = {
    "chromium": (),
    "faketime": (),
    "initdb": tuple(str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"))),
    "mount": ("/bin", "/usr/sbin", "/sbin"),
    "mosquitto": ("/usr/sbin", "/usr/local/sbin"),
    "mosquitto_passwd": (),
    "node": (),
    "npm": (),
    "postgres": tuple(str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"))),
    "systemd-analyze": (),
    "systemd-sysusers": (),
    "systemd-tmpfiles": (),
}


def find_tool(name: str) -> str | None:
    """Full path of a tool that the tests drive for real, or None where this machine lacks it."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *TOOL_PLACES.get(name, ())))
    return shutil.which(name, path=path)


def free_port() -> int:
    """A TCP port on the loopback that nobody uses now, and that nobody is given who asks the kernel for any.

    Whatever a test starts meanwhile, it stands free until the one listens for whom it was written into a file.
    """
    while True:
        port = PORTS[secrets.randbelow(len(PORTS))]
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind((HOST, port))
            if port not in _given:
                _given.add(port)
                return port


def wait_until(condition: Callable[[], bool], *, what: str, deadline_s: float = START_DEADLINE_S) -> None:
    """Poll a condition that another process makes true; AssertionError naming it after the deadline."""
    end = time.monotonic() + deadline_s
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {deadline_s} s: {what}")
        time.sleep(0.01)


def accepts_connections(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=1):
        return True
    return False


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class ServerFailed(Exception):
    """A server ended while starting; the text holds the end of its log."""


class Process:
    """One server process: start, stop (asked politely), kill (power cut), pause and resume (a stalled host)."""

    def __init__(self, name: str, directory: Path) -> None:
        self.name = name
        self.directory = directory
        self.log = directory / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self, command: list[str], *, ready: Callable[[], bool], user: str | None = None) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=user,
                group=pwd.getpwnam(user).pw_gid if user else None,
                extra_groups=[] if user else None,
                start_new_session=True,
            )
        process = self._process

        def ready_or_dead() -> bool:
            return process.poll() is not None or ready()

        wait_until(ready_or_dead, what=f"{self.name} answers")
        if process.poll() is not None:
            self._process = None
            raise ServerFailed(f"{self.name}: {self.log.read_text(errors='replace')[-2000:]}")

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was not started"
        return self._process.pid

    def send(self, number: signal.Signals) -> None:
        if self.running:
            os.kill(self.pid, number)

    def end(self, number: signal.Signals, *, resume: bool = True) -> None:
        """Send a signal and wait for the end, SIGKILL following at the deadline; nothing to do when it has ended."""
        if self._process is None:
            return
        if resume:  # a paused process hears nothing but SIGKILL
            self.send(signal.SIGCONT)
        self.send(number)
        try:
            self._process.wait(timeout=START_DEADLINE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


@dataclasses.dataclass(frozen=True)
class BrokerOptions:
    """How a test's broker is set up; `lines` are appended to mosquitto.conf as they are.

    passwords: user to password; with any, anonymous clients are refused.
    acl: text of an ACL file.
    tls: directory with ca.crt, server.crt and server.key (tests/certificates.py makes one).
    require_certificate: clients must show a certificate of the CA, whose common name is then their user name.
    """

    passwords: dict[str, str] = dataclasses.field(default_factory=dict)
    acl: str | None = None
    tls: Path | None = None
    require_certificate: bool = False
    lines: tuple[str, ...] = ()


ANYBODY = BrokerOptions()


class Mosquitto:
    """A real broker on a free port of the loopback; its port and data stay the same over stop, kill and start."""

    host = HOST

    def __init__(self, executable: str, directory: Path, options: BrokerOptions = ANYBODY) -> None:
        self.directory = directory
        self.options = options
        self.port = 0
        self._executable = executable
        self._process = Process("mosquitto", directory)

    @property
    def log(self) -> Path:
        return self._process.log

    @property
    def running(self) -> bool:
        return self._process.running

    @property
    def database(self) -> Path:
        """Where retained messages and sessions are kept between runs."""
        return self.directory / "data" / "mosquitto.db"

    def start(self) -> None:
        if self.port:
            self._launch()
            return
        for _ in range(5):
            self.port = free_port()
            try:
                self._launch()
                return
            except ServerFailed as failure:
                if "Address already in use" not in str(failure):
                    raise
        raise ServerFailed("mosquitto: five free ports were taken by others")

    def stop(self) -> None:
        """End it as a service manager does: sessions and retained messages are written first."""
        self._process.end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut does: what was not written is lost."""
        self._process.end(signal.SIGKILL)

    def save(self) -> bytes:
        """Have it write its first store while it runs; what it wrote."""
        assert not self.database.exists(), "a store was written before"
        self._process.send(signal.SIGUSR1)
        wait_until(self.database.exists, what="the broker wrote its store")
        return self.database.read_bytes()

    def pause(self) -> None:
        """Stall it: connections stay open and nothing is answered."""
        self._process.send(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send(signal.SIGCONT)

    def _launch(self) -> None:
        configuration = self.directory / "mosquitto.conf"
        configuration.write_text("\n".join(self._configuration()) + "\n")
        command = [self._executable, "-c", str(configuration)]
        self._process.launch(command, ready=lambda: accepts_connections(self.port))

    def _configuration(self) -> Iterator[str]:
        options = self.options
        (self.directory / "data").mkdir(exist_ok=True)
        if os.geteuid() == 0:
            yield "user root"
        yield f"listener {self.port} {self.host}"
        yield f"allow_anonymous {'false' if options.passwords else 'true'}"
        yield "log_dest stderr"
        yield "persistence true"
        yield f"persistence_location {self.directory / 'data'}/"
        yield "max_queued_messages 0"
        if options.passwords:
            yield f"password_file {self._password_file()}"
        if options.acl is not None:
            acl = self.directory / "acl"
            acl.write_text(options.acl)
            yield f"acl_file {acl}"
        if options.tls is not None:
            yield f"cafile {options.tls / 'ca.crt'}"
            yield f"certfile {options.tls / 'server.crt'}"
            yield f"keyfile {options.tls / 'server.key'}"
            if options.require_certificate:
                yield "require_certificate true"
                yield "use_identity_as_username true"
        yield from options.lines

    def _password_file(self) -> Path:
        path = self.directory / "passwords"
        path.write_text("")
        path.chmod(0o600)
        hasher = find_tool("mosquitto_passwd")
        assert hasher is not None, "mosquitto_passwd comes with mosquitto"
        for user, password in self.options.passwords.items():
            subprocess.run([hasher, "-b", str(path), user, password], check=True, capture_output=True)
        return path


class Postgres:
    """A real PostgreSQL cluster on a free port of the loopback, run by a user who may (it refuses root).

    settings: of the server beside those that a test's cluster has anyway.
    """

    def __init__(self, initdb: str, directory: Path, settings: dict[str, str] | None = None) -> None:
        self.directory = directory
        self.port = 0
        self.settings = settings or {}
        self._initdb = initdb
        self._binaries = Path(initdb).resolve().parent
        self._user = _unprivileged_user()
        self._process = Process("postgres", directory)

    def create(self) -> None:
        self._own(self.directory)
        arguments = ("--pgdata=data", "--auth=trust", "--username=carrusel", "--encoding=UTF8", "--locale=C.UTF-8")
        self._run("initdb", "--data-checksums", *arguments)
        self._run_tool("cp", "-a", "data", "fresh")  # a second cluster costs a copy, not another initdb

    def another(self, directory: Path, settings: dict[str, str] | None = None) -> "Postgres":
        """A cluster of its own in an empty directory, as this one was before its first start."""
        other = Postgres(self._initdb, directory, settings)
        other._own(directory)
        other._run_tool("cp", "-a", str(self.directory / "fresh"), "data")
        return other

    def replica(self, directory: Path) -> "Postgres":
        """A standby that streams from this running server, in an empty directory."""
        other = Postgres(self._initdb, directory, self.settings)
        other._own(directory)
        source = f"--dbname=host={HOST} port={self.port} user=carrusel application_name=replica"
        other._run("pg_basebackup", "--pgdata=data", "--write-recovery-conf", "--checkpoint=fast", source)
        return other

    def move_log(self, directory: Path) -> None:
        """The log of a stopped server to another file system."""
        self._run_tool("cp", "-a", "data/pg_wal", str(directory))
        self._run_tool("rm", "-r", "data/pg_wal")
        self._run_tool("ln", "-s", str(directory / "pg_wal"), "data/pg_wal")

    def promote(self) -> None:
        """A standby becomes a server that takes writes."""
        self._run("pg_ctl", "promote", "--pgdata=data")

    def start(self) -> None:
        for _ in range(5):
            self.port = self.port or free_port()
            try:
                self._launch()
                return
            except ServerFailed as failure:
                if "Address already in use" not in str(failure):
                    raise
                self.port = 0
        raise ServerFailed("postgres: five free ports were taken by others")

    def stop(self) -> None:
        self._process.end(signal.SIGINT)

    def crash(self) -> None:
        """`pg_ctl stop -m immediate`: every process ends where it is; the next start recovers from its log."""
        self._process.end(signal.SIGQUIT)

    @property
    def running(self) -> bool:
        return self._process.running

    def kill(self) -> None:
        """End the whole cluster as a power cut does; the next start recovers from its log."""
        if not self._process.running:
            return
        self._process.send(signal.SIGSTOP)  # so that it starts no other while its children are named
        pid = self._process.pid
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        self._process.end(signal.SIGKILL, resume=False)
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        # A child that still lives holds the shared memory that the next start asks for.
        wait_until(lambda: not any(map(is_alive, children)), what="PostgreSQL's children are gone")

    def create_database(self) -> str:
        """URL of a new, empty database."""
        name = f"test_{secrets.token_hex(6)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url(name)

    @contextlib.contextmanager
    def database_on(self, directory: Path) -> Iterator[str]:
        """URL of a new, empty database whose tables lie in a directory; dropped again."""
        name, space = (f"{kind}_{secrets.token_hex(6)}" for kind in ("test", "space"))
        self.run(f"CREATE TABLESPACE {space} LOCATION '{directory}'", f"CREATE DATABASE {name} TABLESPACE {space}")
        try:
            yield self.url(name)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)", f"DROP TABLESPACE {space}")

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://carrusel@{HOST}:{self.port}/{database}"

    def session(self, database: str = "postgres", **settings: str) -> psycopg.Connection:
        """A superuser's session, each statement by itself."""
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        return psycopg.connect(
            host=HOST, port=self.port, user="carrusel", dbname=database, options=options, autocommit=True
        )

    def run(self, *statements: str, database: str = "postgres") -> None:
        """Statements of a superuser."""
        with contextlib.closing(self.session(database)) as session:
            for statement in statements:
                session.execute(statement)

    def _launch(self) -> None:
        settings = {"listen_addresses": HOST, "port": str(self.port), "unix_socket_directories": str(self.directory)}
        settings |= self.settings
        command = [str(self._binaries / "postgres"), "-D", "data"]
        for key, value in settings.items():
            command += ["-c", f"{key}={value}"]
        self._process.launch(command, ready=self._answers, user=self._user)

    def _answers(self) -> bool:
        ready = [str(self._binaries / "pg_isready"), "--host=127.0.0.1", f"--port={self.port}", "--quiet"]
        return subprocess.run(ready, stdin=subprocess.DEVNULL).returncode == 0

    @property
    def owner(self) -> int:
        """Who must own the directories that the server writes."""
        return os.getuid() if self._user is None else pwd.getpwnam(self._user).pw_uid

    def _own(self, directory: Path) -> None:
        os.chown(directory, self.owner, -1)

    def _run(self, program: str, *arguments: str) -> None:
        self._run_tool(str(self._binaries / program), *arguments)

    def _run_tool(self, *command: str) -> None:
        subprocess.run(
            command,
            cwd=self.directory,
            user=self._user,
            group=pwd.getpwnam(self._user).pw_gid if self._user else None,
            extra_groups=[] if self._user else None,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
        )


def _unprivileged_user() -> str | None:
    """Whom to run PostgreSQL as: ourselves, or as root the user that its package made."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
