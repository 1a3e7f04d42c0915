"""Where the presets, examples and broker files of config/ lie, in a source tree and in an installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def config_directory() -> Path:
    """Directory that holds demo.toml, presets/ and mosquitto/.

    A wheel carries config/ inside the package, as the rest of the tree is not installed; an editable install and a
    plain clone read the tree itself, so that an edited preset counts at once.
    """
    installed = _PACKAGE / "config_files"
    return installed if installed.is_dir() else _PACKAGE.parent / "config"
