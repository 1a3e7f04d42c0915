"""Makes .venv ready for `make demo`, `make test` and `make check`; needs nothing but a bare Python.

Usage: prepare.py demo | dev | tools. Exit code 2 and the exact line to type when something only a person may install is
missing. The file is read by whatever `python3` is, so its syntax stays old.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "carrusel-stamp.json"
OLDEST = (3, 11)
NEWEST_LOCKED = (3, 14)

# Tool of the tests -> (places off a user's PATH, Debian package)
TOOLS = {
    "mosquitto": (("/usr/sbin", "/usr/local/sbin"), "mosquitto"),
    "chromium": ((), "chromium"),
    "faketime": ((), "faketime"),
    "initdb": (tuple(str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"))), "postgresql"),
    "systemd-analyze": ((), "systemd"),
}


def say(text):
    print("prepare: " + text, flush=True)


def give_up(*lines):
    for line in lines:
        print("prepare: " + line, file=sys.stderr, flush=True)
    sys.exit(2)


def version_of(python):
    """Version of an interpreter, or None where the name leads nowhere (a shim, a broken link)."""
    question = [python, "-c", "import sys; print(*sys.version_info[:2])"]
    try:
        answer = subprocess.run(question, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        major, minor = answer.stdout.split()
    except (OSError, subprocess.CalledProcessError, ValueError):
        return None
    return int(major), int(minor)


def choose_python():
    """This interpreter where the locks cover it, else the newest covered one that the machine has."""
    if OLDEST <= sys.version_info[:2] <= NEWEST_LOCKED:
        return sys.executable
    for minor in range(NEWEST_LOCKED[1], OLDEST[1] - 1, -1):
        python = shutil.which(f"python3.{minor}")
        if python and version_of(python) == (3, minor):
            return python
    if sys.version_info[:2] > NEWEST_LOCKED:
        return sys.executable
    give_up(
        "Carrusel needs Python 3.11 or later and this is {}.{}.".format(*sys.version_info[:2]),
        "Install one and name it: make PYTHON=/path/to/python3.13 ...",
    )


def root_prefix():
    """How to become root without asking anybody: () as root, sudo without a password, or None."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], stderr=subprocess.DEVNULL).returncode == 0:
        return ["sudo", "-n"]
    return None


def apt_install(packages):
    """True when apt has installed the packages; False where that is not possible or not permitted."""
    prefix = root_prefix()
    if prefix is None or not shutil.which("apt-get"):
        return False
    say("apt installs " + " ".join(packages))
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    install = [*prefix, "apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    for command in (install, [*prefix, "apt-get", "update", "-q"], install):
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        if command is install and done.returncode == 0:
            return True
    return False


def need_venv_module(python):
    probe = [python, "-c", "import ensurepip, venv"]
    if subprocess.run(probe, stderr=subprocess.DEVNULL).returncode == 0:
        return
    package = "python{}.{}-venv".format(*version_of(python))
    if apt_install([package]) and subprocess.run(probe, stderr=subprocess.DEVNULL).returncode == 0:
        return
    if shutil.which("apt-get"):
        give_up(
            "Python's venv module is missing. Type this, then the same make again:",
            "sudo apt-get install -y " + package,
        )
    give_up("Python's venv and ensurepip modules are missing; install your distribution's package for them.")


def wanted_stamp(group, python):
    """What the environment was made of; any change in it makes the environment again."""
    digest = hashlib.sha256()
    for path in (ROOT / "requirements" / (group + ".lock"), ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return {"group": group, "made_of": digest.hexdigest(), "python": list(version_of(python)), "root": str(ROOT)}


def found_stamp():
    try:
        return json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}


def usable_venv(version):
    """Whether .venv was made at this place (its scripts name it), with this Python and to its end (pip comes last)."""
    python = str(VENV / "bin" / "python")
    try:
        made_here = str(VENV) in (VENV / "pyvenv.cfg").read_text()
    except OSError:
        return False
    if not made_here or list(version_of(python) or ()) != version:
        return False
    return subprocess.run([python, "-c", "import pip"], stderr=subprocess.DEVNULL).returncode == 0


def prepare(group):
    """Bring .venv to the lock of `group`; dev holds all of demo, so a current dev environment serves both."""
    python = choose_python()
    enough = ("dev",) if group == "dev" else ("demo", "dev")
    stamp = found_stamp()
    if any(stamp == wanted_stamp(name, python) for name in enough) and (VENV / "bin" / "python").exists():
        return
    if stamp.get("group") == "dev":
        group = "dev"
    wanted = wanted_stamp(group, python)
    need_venv_module(python)
    if STAMP.exists():
        STAMP.unlink()
    if not usable_venv(wanted["python"]):
        say("making .venv with Python {}.{}".format(*wanted["python"]))
        subprocess.run([python, "-m", "venv", "--clear", str(VENV)], check=True)
    lock = f"requirements/{group}.lock"
    say(f"installing {lock} (once; it takes about a minute)")
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--no-deps"]
    steps = (
        [*pip, "--require-hashes", "--only-binary", ":all:", "-r", lock],
        [*pip, "--no-build-isolation", "--editable", "."],
    )
    for step in steps:
        done = subprocess.run(step, cwd=str(ROOT), stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            give_up(f"pip could not install {lock}; its message is above.")
    STAMP.write_text(json.dumps(wanted))


def missing_tools():
    path = os.environ.get("PATH", os.defpath)
    missing = {}
    for tool, (places, package) in TOOLS.items():
        if not shutil.which(tool, path=os.pathsep.join((path, *places))):
            missing[tool] = package
    return missing


def prepare_tools():
    """Install what the tests drive for real; what stays missing is for pytest to refuse (CI) or to skip and list."""
    missing = missing_tools()
    if not missing:
        return
    packages = sorted(set(missing.values()))
    if not apt_install(packages):
        say("these tests' tools are missing: " + ", ".join(sorted(missing)))
        say("sudo apt-get install -y --no-install-recommends " + " ".join(packages))
    elif "mosquitto" in missing and Path("/run/systemd/system").is_dir():
        say("apt has also started mosquitto.service on port 1883; the tests leave it alone and do not need it")


def main(arguments):
    if arguments not in (["demo"], ["dev"], ["tools"]):
        give_up("usage: prepare.py demo | dev | tools")
    if arguments == ["tools"]:
        prepare_tools()
    else:
        prepare(arguments[0])


if __name__ == "__main__":
    main(sys.argv[1:])
