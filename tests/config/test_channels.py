"""An input or output that a module does not have is named: a seat wired to it would never bet."""

from pathlib import Path

import pytest

from controller.adapters.hardware.devices import known_hardware
from controller.config import load_checked
from tests.config.sites import SITE, TABLE

LAMP = 'outputs = [{ device = "teclas", output = 7, means = "lamp", seat = 1 }]\n'
DCON = TABLE.replace('"modbus_rtu_io"', '"dcon_io"').replace("unit = 1", 'address = "01"')
COINS = TABLE.replace('"modbus_rtu_io"', '"cctalk_coin"').replace("unit = 1", "address = 2")


@pytest.mark.parametrize(
    ("table", "key"),
    [
        (TABLE, ""),
        (TABLE.replace("input = 0", "input = 7"), ""),
        (TABLE.replace("input = 0", "input = 8"), "tables[0].inputs[0].input"),
        (TABLE.replace("input = 0", "input = -1"), "tables[0].inputs[0].input"),
        (TABLE.replace("input = 0", "input = true"), "tables[0].inputs[0].input"),
        (TABLE.replace("input = 0", 'input = "0"'), "tables[0].inputs[0].input"),
        (TABLE.replace("input = 0", f"input = {10**30}"), "tables[0].inputs[0].input"),
        (TABLE.replace("inputs =", LAMP + "inputs ="), ""),
        (TABLE.replace("inputs =", LAMP.replace("7", "8") + "inputs ="), "tables[0].outputs[0].output"),
        (DCON.replace("input = 0", "input = 6"), ""),
        (DCON.replace("input = 0", "input = 7"), "tables[0].inputs[0].input"),
        (COINS.replace("input = 0", "input = 12"), ""),
    ],
)
def test_channels_there_are(tmp_path: Path, table: str, key: str) -> None:
    path = tmp_path / "site.toml"
    path.write_text(SITE + table)
    faults = load_checked(path, known_hardware()).faults
    assert {fault.key for fault in faults} == ({key} if key else set())
    assert all(fault.line and fault.reason for fault in faults)
