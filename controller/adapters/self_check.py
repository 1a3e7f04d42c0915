"""The installed program against the hashes that its wheel recorded: an altered one does not start."""

import base64
import hashlib
from collections.abc import Container
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from pathlib import Path

ROOMS = ("controller", "drivers", "display")


def altered_files(name: str = "carrusel") -> list[str] | None:
    """Files that are not as the wheel brought them, are gone, or are modules it did not bring; none when all is well.

    None: this is a source tree (a clone, an editable install), whose files nobody recorded.
    """
    try:
        installed = distribution(name)
    except PackageNotFoundError:
        return None
    recorded = {str(path): path for path in installed.files or () if path.parts[0] in ROOMS}
    if "controller/__init__.py" not in recorded:
        return None
    changed = [name for name, path in recorded.items() if path.hash is not None and not _is_as_recorded(path)]
    return sorted(changed + _strangers(installed, recorded.keys()))


def _is_as_recorded(path: PackagePath) -> bool:
    assert path.hash is not None
    try:
        digest = hashlib.new(path.hash.mode, Path(path.locate()).read_bytes()).digest()
    except OSError:
        return False
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == path.hash.value


def _strangers(installed: Distribution, recorded: Container[str]) -> list[str]:
    """Modules in our rooms that the wheel did not bring."""
    root = Path(str(installed.locate_file("")))
    found = (str(path.relative_to(root)) for room in ROOMS for path in (root / room).rglob("*.py"))
    return [path for path in found if path not in recorded]
