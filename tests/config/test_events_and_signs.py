"""Faults of [events] and of signs: named with their key, in both languages; an unencrypted webhook is a warning."""

from pathlib import Path

import pytest

from controller.adapters.hardware.devices import known_hardware
from controller.config import load_checked

BASE = """
[site]
id = "s"
name = "S"
{more}
[[tables]]
id = "t1"
name = "Mesa 1"
preset = "oasis_argentina_2010"
signs = [{sign}]
[[tables.devices]]
name = "cartel"
driver = "alpha_sign"
port = "/dev/serial/by-id/a"
settings = {{ layout = "POZO {{amount}} {{other}}" }}
[[tables.devices]]
name = "io"
driver = "modbus_rtu_io"
port = "/dev/serial/by-id/b"
unit = 1
"""
SIGN = '{ device = "cartel" }'


@pytest.mark.parametrize(
    ("more", "sign", "expected"),
    [
        ("", SIGN, ""),
        ("", '{ device = "cartel", label = "other" }', ""),
        ("", '{ device = "cartel", label = "third" }', "tables[0].signs[0].label"),
        ("", '{ device = "io" }', "tables[0].signs[0].label"),
        ('[events]\nwebhook = "https://x/y"', SIGN, "events"),
        ('[events]\nsecret_file = "/s"', SIGN, "events"),
        ('[events]\nwebhook = "ftp://x/y"\nsecret_file = "/s"', SIGN, "events.webhook"),
        ("[events]\nmqtt = true", SIGN, "events.mqtt"),
        ("[mqtt]\n[events]\nmqtt = true", SIGN, ""),
        ('[events]\nwebhook = "https://x/y?z=1"\nsecret_file = "/s"', SIGN, ""),
    ],
)
def test_faults_by_key(tmp_path: Path, more: str, sign: str, expected: str) -> None:
    path = tmp_path / "site.toml"
    path.write_text(BASE.format(more=more, sign=sign))
    faults = load_checked(path, known_hardware()).faults
    assert [str(fault) for fault in faults if f" {expected}:" not in str(fault)] == []
    assert bool(faults) == bool(expected)


@pytest.mark.parametrize(
    ("url", "warned"),
    [
        ("http://10.0.0.9/e", True),
        ("http://127.0.0.1:80/e", False),
        ("http://localhost/e", False),
        ("http://127.0.0.1.example/e", True),
        ("https://v/e", False),
    ],
)
def test_a_webhook_over_the_network_wants_tls(tmp_path: Path, url: str, warned: bool) -> None:
    path = tmp_path / "site.toml"
    path.write_text(BASE.format(more=f'[events]\nwebhook = "{url}"\nsecret_file = "/s"', sign=SIGN))
    warnings = [str(each) for each in load_checked(path, known_hardware()).warnings]
    assert any("events.webhook" in each for each in warnings) is warned
