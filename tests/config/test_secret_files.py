"""Files of secrets that others may read or change: named by check-config, and no daemon starts with them."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import app
from tests.config.sites import SITE, TABLE, check, found

SECRETS = {
    "mqtt.password_file": '[mqtt]\nusername = "a"\npassword_file = "{path}"\n',
    "mqtt.tls.key": '[mqtt]\ntls = {{ certificate = "/nowhere.crt", key = "{path}" }}\n',
    "events.secret_file": '[events]\nwebhook = "https://x.example/y"\nsecret_file = "{path}"\n',
}
DATABASE = '[state]\ndatabase = "postgresql://carrusel{secret}@db.pit/carrusel"\n'


@pytest.mark.parametrize("key", SECRETS)
@pytest.mark.parametrize(
    ("mode", "fits"), [(0o600, True), (0o640, True), (0o644, False), (0o660, False), (0o604, False)]
)
def test_a_secret_that_others_may_read_is_a_fault(tmp_path: Path, key: str, mode: int, fits: bool) -> None:
    """A group may read it, since root may own what the daemon's user only reads."""
    secret = tmp_path / "secret"
    secret.write_text("sixteen letters and more")
    secret.chmod(mode)
    checked = check(tmp_path, SITE + SECRETS[key].format(path=secret) + TABLE)
    told = [(each, why) for each, _, why in found(checked)]
    assert told == ([] if fits else [(key, f"{secret} can be read or changed by others: chmod 640 it")])


def test_a_secret_that_is_not_on_this_machine_is_left_to_the_start(tmp_path: Path) -> None:
    checked = check(tmp_path, SITE + SECRETS["mqtt.password_file"].format(path="/nowhere/secret") + TABLE)
    assert checked.config is not None


@pytest.mark.parametrize("command", [["check-config"], ["run", "--config"]])
def test_check_config_and_the_start_say_the_same(tmp_path: Path, command: list[str]) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sixteen letters and more")
    secret.chmod(0o644)
    file = tmp_path / "site.toml"
    file.write_text(SITE + SECRETS["events.secret_file"].format(path=secret) + TABLE)
    done = CliRunner(env={"LC_ALL": "es_AR.UTF-8"}).invoke(app, [*command, str(file)])
    assert done.exit_code == 2
    assert f"events.secret_file: otros pueden leer o cambiar {secret}: póngale chmod 640" in done.stderr


@pytest.mark.parametrize(
    ("secret", "mode", "warned"), [(":word", 0o644, True), (":word", 0o640, False), ("", 0o644, False)]
)
def test_a_file_with_the_databases_password_is_warned_of(tmp_path: Path, secret: str, mode: int, warned: bool) -> None:
    file = tmp_path / "site.toml"
    file.touch()
    file.chmod(mode)
    checked = check(tmp_path, SITE + DATABASE.format(secret=secret) + TABLE)
    told = [each.key for each in checked.warnings if "its password stands" in each.reason]
    assert told == (["state.database"] if warned else [])
