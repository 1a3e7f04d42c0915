"""config/README.md names every key there is, every example and every preset."""

from typing import Any, get_args

import pytest
from pydantic import BaseModel

from controller.config import Config, preset_names
from controller.resources import config_directory

README = (config_directory() / "README.md").read_text(encoding="utf-8")


def models(kind: Any) -> set[type[BaseModel]]:
    """The models inside an annotation, however deep."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {kind}
    return {model for inner in get_args(kind) for model in models(inner)}


def keys(model: type[BaseModel]) -> set[str]:
    """Names of all keys of a model and of the models below it."""
    found: set[str] = set()
    for name, field in model.model_fields.items():
        if field.exclude:
            continue
        found.add(name)
        for inner in models(field.annotation):
            found |= keys(inner)
    return found


@pytest.mark.parametrize(
    "key",
    sorted(
        keys(Config) - {"site", "state", "api", "screens", "mqtt", "events", "papers", "closing", "carousels", "tables"}
    ),
)
def test_key_is_named(key: str) -> None:
    assert any(f"`{word}" in README for word in (key, f"jackpot.{key}"))


@pytest.mark.parametrize("file", sorted(path.name for path in config_directory().glob("*.toml")))
def test_file_is_named(file: str) -> None:
    assert f"`{file}`" in README


def test_presets_are_named() -> None:
    assert all(f"| `{name}` |" in README for name in preset_names())
