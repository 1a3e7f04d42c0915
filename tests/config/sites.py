"""Site files for the tests: a small one that can run, and the same with one thing changed."""

from pathlib import Path

from controller.config import Checked, Hardware, load_checked

DRIVERS = frozenset({"alpha_sign", "cctalk_coin", "dcon_io", "hid_keypad", "line_reader", "modbus_rtu_io"})

SITE = """\
[site]
id = "casino"
name = "Casino"
currency = "ARS"
"""
TABLE = """\
[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
inputs = [{ device = "teclas", input = 0, means = "key", key = "close_bets" }]
[[tables.devices]]
name = "teclas"
driver = "modbus_rtu_io"
port = "/dev/serial/by-id/a"
unit = 1
"""


def check(directory: Path, text: str) -> Checked:
    """What the loader says of a text."""
    file = directory / "site.toml"
    file.write_text(text, encoding="utf-8")
    return load_checked(file, Hardware(DRIVERS))


def found(checked: Checked) -> list[tuple[str, int, str]]:
    """Faults as (key, line, reason)."""
    return [(fault.key, fault.line, fault.reason) for fault in checked.faults]
