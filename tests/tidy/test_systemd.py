"""The shipped units load, are hardened, and do what the daemon and its files expect."""

import os
import re
import subprocess
from collections.abc import Callable
from configparser import RawConfigParser
from pathlib import Path

import pytest

from tests.tidy.source_files import ROOT

SYSTEMD = ROOT / "systemd"
UNITS = tuple(sorted(path.name for path in SYSTEMD.glob("*.service")))
MAXIMUM_EXPOSURE = 2.0


class Lists(dict[str, str]):
    """Values of a repeated key, one per line, as systemd adds them up."""

    def __setitem__(self, key: str, value: object) -> None:
        if isinstance(value, list) and key in self:
            value = [*self[key], *value]  # a list until the parser joins it
        super().__setitem__(key, value)  # type: ignore[assignment]  # RawConfigParser keeps lists while it reads


def unit(name: str) -> RawConfigParser:
    parser = RawConfigParser(strict=False, dict_type=Lists, comment_prefixes=("#",), delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way to keep the case of keys
    parser.read_string((SYSTEMD / name).read_text().replace("\\\n", " "))
    return parser


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_loads_without_a_word(name: str, tool: Callable[[str], str], tmp_path: Path) -> None:
    # The programs are the site's to install; what is asked here is whether systemd understands every line.
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", (SYSTEMD / name).read_text(), flags=re.MULTILINE)
    (tmp_path / name).write_text(text)
    verify = [tool("systemd-analyze"), "verify", "--man=no", "--recursive-errors=no", str(tmp_path / name)]
    ran = subprocess.run(verify, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_is_hardened(name: str, tool: Callable[[str], str]) -> None:
    security = [tool("systemd-analyze"), "security", "--offline=true", "--no-pager", str(SYSTEMD / name)]
    ran = subprocess.run(security, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    exposure = re.search(rf"Overall exposure level for {re.escape(name)}: ([\d.]+)", ran.stdout)
    assert exposure, ran.stdout + ran.stderr
    assert float(exposure[1]) < MAXIMUM_EXPOSURE, ran.stdout


@pytest.mark.promise("P16")
def test_the_daemon_is_started_as_the_manual_says_and_always_comes_back() -> None:
    service, limits = unit("carrusel.service")["Service"], unit("carrusel.service")["Unit"]
    assert service["ExecStart"] == "/opt/carrusel/venv/bin/carrusel run --config /etc/carrusel/carrusel.toml"
    assert (service["Type"], service["Restart"], limits["StartLimitIntervalSec"]) == ("notify", "always", "0")
    assert service["RestartPreventExitStatus"] == "2"
    assert service["WatchdogSec"].endswith("s")


@pytest.mark.parametrize("device", ["char-ttyUSB rw", "char-ttyACM rw", "char-ttyS rw", "char-input r"])
def test_the_daemon_may_open_the_tables_devices_and_no_others(device: str) -> None:
    service = unit("carrusel.service")["Service"]
    assert service["DevicePolicy"] == "closed"
    assert device in service["DeviceAllow"].splitlines()
    assert {"dialout", "input"} <= set(service["SupplementaryGroups"].split())


def test_the_kiosk_leaves_chromium_what_its_own_sandbox_asks_for() -> None:
    """Namespaces, `chroot` and `capset`: without one of them Chromium ends at its start."""
    service = unit("carrusel-kiosk.service")["Service"]
    assert service["RestrictNamespaces"] == "user pid net"
    allowed = service["SystemCallFilter"].splitlines()
    assert allowed == ["@system-service", "~@privileged @resources", "chroot capset"]
    assert "sandbox" not in service["ExecStart"]
    assert "MemoryDenyWriteExecute" not in service and "ProcSubset" not in service


def test_nothing_of_the_browser_stands_on_a_screen() -> None:
    """No offer to translate, which lay over the table's state; over Xwayland, since it ended with cage 0.1.4 itself."""
    service = unit("carrusel-kiosk.service")["Service"]
    assert {"--kiosk", "--disable-features=Translate", "--ozone-platform=x11"} <= set(service["ExecStart"].split())
    assert "$CARRUSEL_TURN" in service["ExecStart"].split()
    page = (ROOT / "display" / "templates" / "screen.html").read_text("utf-8")
    assert 'translate="no"' in page and '<meta name="google" content="notranslate">' in page


def test_the_page_that_a_screen_waits_on_lies_where_the_unit_looks_for_it() -> None:
    """It is installed and upgraded beside the unit, and loads nothing: a screen without its daemon has nothing else."""
    command = unit("carrusel-kiosk.service")["Service"]["ExecStart"]
    wanted = re.search(r"file://(\S+?)/waiting\.html#\$\{CARRUSEL_SCREEN\}", command)
    assert wanted is not None
    line = f"install -D -m 644 -t {wanted[1]} systemd/kiosk/waiting.html"
    assert line in (SYSTEMD / "README.md").read_text() and line in (ROOT / "docs" / "install.md").read_text()
    page = (SYSTEMD / "kiosk" / "waiting.html").read_text("utf-8")
    assert 'translate="no"' in page and not re.search(r"src=|href=|url\(|https?://", page)


def test_the_kiosk_speaks_with_its_own_machine_until_somebody_says_otherwise() -> None:
    service = unit("carrusel-kiosk.service")["Service"]
    assert (service["IPAddressDeny"], service["IPAddressAllow"]) == ("any", "localhost")


def accounts(tool: Callable[[str], str], root: Path) -> dict[str, set[str]]:
    """Group to members after systemd-sysusers has made the accounts in an empty root."""
    (root / "etc").mkdir()
    make = [tool("systemd-sysusers"), f"--root={root}", str(SYSTEMD / "sysusers.d" / "carrusel.conf")]
    subprocess.run(make, check=True, capture_output=True)
    fields = (line.split(":") for line in (root / "etc" / "group").read_text().splitlines())
    return {group: set(members.split(",")) - {""} for group, _, _, members in fields}


def test_the_accounts_exist_and_cannot_log_in(tool: Callable[[str], str], tmp_path: Path) -> None:
    groups = accounts(tool, tmp_path)
    assert {group for group, members in groups.items() if "carrusel" in members} == {"dialout", "input"}
    users = [line.split(":") for line in (tmp_path / "etc" / "passwd").read_text().splitlines()]
    assert {user[0]: user[-1].split("/")[-1] for user in users} == {"carrusel": "nologin", "carrusel-kiosk": "nologin"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give folders to another user")
def test_the_folders_are_made_for_whom_they_belong_to(tool: Callable[[str], str], tmp_path: Path) -> None:
    accounts(tool, tmp_path)
    make = [tool("systemd-tmpfiles"), f"--root={tmp_path}", "--create", str(SYSTEMD / "tmpfiles.d" / "carrusel.conf")]
    ran = subprocess.run(make, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    modes = {path: (tmp_path / path).stat().st_mode & 0o777 for path in ("etc/carrusel", "var/lib/carrusel")}
    assert modes == {"etc/carrusel": 0o750, "var/lib/carrusel": 0o700}
    assert (tmp_path / "var/lib/carrusel").stat().st_uid == (tmp_path / "var/backups/carrusel").stat().st_uid != 0


RULE = re.compile(
    r'(?:[A-Z]+(?:\{[\w/ ]+\})?(?:==|!=|=|\+=|:=)"[^"]*")(?:, (?:[A-Z]+(?:\{[\w/ ]+\})?(?:==|!=|=|\+=|:=)"[^"]*"))*'
)


def test_udev_rules_are_whole_and_keep_modem_manager_away() -> None:
    lines = (SYSTEMD / "udev" / "70-carrusel.rules").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in rules if not RULE.fullmatch(line)] == []
    assert any('SUBSYSTEM=="tty"' in rule and 'ENV{ID_MM_PORT_IGNORE}="1"' in rule for rule in rules)
    assert any('ATTR{latency_timer}="1"' in rule for rule in rules)


def test_every_file_of_the_folder_is_named_in_its_readme() -> None:
    readme = (SYSTEMD / "README.md").read_text()
    files = [path for path in SYSTEMD.rglob("*") if path.is_file() and path.name != "README.md"]
    assert [str(path) for path in files if f"`{path.relative_to(SYSTEMD)}`" not in readme] == []
