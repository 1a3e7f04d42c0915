"""The two type families, from a package of the dependencies: pages and papers use the same files."""

from pathlib import Path

import fontpkg  # type: ignore[import-untyped]  # ships no type information

FONTS = {"inter.ttf": "Inter", "vollkorn.ttf": "Vollkorn"}


def font_file(name: str) -> Path:
    """The file of a font; KeyError for a name that is not served."""
    return Path(fontpkg.path(FONTS[name]))
