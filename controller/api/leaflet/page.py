"""A leaflet as one page of HTML: to be read on the panel, or printed from a file that needs nothing beside it."""

import base64
from functools import lru_cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from controller.api.fonts import FONTS, font_file
from controller.api.leaflet.content import Leaflet
from controller.api.texts import catalogue, digest_text


@lru_cache
def _templates() -> Environment:
    loader = PackageLoader("controller.api.leaflet", ".")
    return Environment(loader=loader, autoescape=select_autoescape(), undefined=StrictUndefined, trim_blocks=True)


def style() -> str:
    """The sheet's style; its fonts are those of the listener that serves it."""
    return (files("controller.api.panel") / "static" / "leaflet.css").read_text("utf-8")


def _alone() -> Markup:
    """The same style with the fonts in it, for a file that is copied and printed elsewhere."""
    css = style()
    for name in FONTS:
        data = base64.b64encode(font_file(name).read_bytes()).decode()
        css = css.replace(f"/static/fonts/{name}", f"data:font/ttf;base64,{data}")
    return Markup(css)  # the product's own style sheet


def page_of(leaflet: Leaflet, *, alone: bool) -> str:
    """The page; alone: with its style and fonts inside."""
    texts = catalogue(leaflet.language)
    template = _templates().get_template("leaflet.html")
    return template.render(
        leaflet=leaflet, t=texts.text, digest=digest_text(leaflet.terms), style=_alone() if alone else None
    )
