"""What is installed is what was meant: the wheel's contents, the locks, the folder of presets."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from controller.resources import config_directory
from tests.tidy.source_files import ROOT, committed

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = ("demo", "dev")
PINNED = re.compile(r"([A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==([\w.]+)(?:\s*;.*)?")


def locked(name: str) -> dict[str, str]:
    """Package to the version that a lock pins."""
    entries = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements" / f"{name}.lock").read_text(), re.MULTILINE)
    return dict(entries)


def asked(*groups: str) -> dict[str, str]:
    """Package to the version that pyproject.toml pins, in the product itself and in the given extras."""
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["build"]]
    for group in groups:
        wanted += extras[group]
    pins = {}
    for requirement in wanted:
        match = PINNED.fullmatch(requirement)
        assert match, f"{requirement} is not pinned to one release"
        pins[re.sub(r"[-_.]+", "-", match[1]).lower()] = match[2]
    return pins


@pytest.mark.parametrize(
    ("lock", "groups"), [("demo", ["demo"]), ("dev", ["demo", "postgres", "test", "check"])], ids=LOCKS
)
def test_a_lock_holds_what_the_project_asks_for(lock: str, groups: list[str]) -> None:
    pins = locked(lock)
    stale = {name: (pins.get(name), version) for name, version in asked(*groups).items() if pins.get(name) != version}
    assert stale == {}, "run make lock"


def test_development_runs_on_the_releases_of_the_demo() -> None:
    development = locked("dev")
    assert {name: development.get(name) for name in locked("demo")} == locked("demo")


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_release_has_hashes_and_no_lock_names_an_index(lock: str) -> None:
    source = (ROOT / "requirements" / f"{lock}.lock").read_text()
    entries = re.split(r"^(?=\w)", re.sub(r"^#.*\n", "", source, flags=re.MULTILINE), flags=re.MULTILINE)
    assert [entry for entry in entries if entry.strip() and "--hash=sha256:" not in entry] == []
    assert "index-url" not in source
    assert "://" not in source


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The product as a wheel, built from a copy of what is committed."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for path in committed():
        copy = source / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / path).read_bytes())
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(target), str(source)], check=True, stdin=subprocess.DEVNULL)
    (built,) = target.glob("carrusel-*.whl")
    return built


def test_the_wheel_holds_every_file_of_the_product(wheel: Path) -> None:
    rooms = ("controller/", "drivers/", "display/")
    expected = {path for path in committed() if path.startswith(rooms)}
    expected |= {f"controller/config_files/{path[7:]}" for path in committed() if path.startswith("config/")}
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == expected


def test_an_installed_wheel_finds_its_presets(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    question = "from controller.resources import config_directory; print(config_directory())"
    asked = [sys.executable, "-S", "-P", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {question}"]
    answer = Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())
    assert answer == tmp_path / "controller" / "config_files"
    held = {str(path.relative_to(answer)) for path in answer.rglob("*") if path.is_file()}
    assert held == {path.removeprefix("config/") for path in committed() if path.startswith("config/")}


def test_a_source_tree_finds_its_presets() -> None:
    assert config_directory() == ROOT / "config"
    assert (config_directory() / "presets").is_dir()
