"""Every act of the API that a person does has a form in the panel; what has none stands here, with the reason."""

import re
from collections.abc import Iterator, Mapping

from controller.api.app import api_routes
from controller.api.panel.pages import STATIC

WITHOUT_FORM: Mapping[tuple[str, str], str] = {}
"""Acts that nobody asks for in the panel, and why."""
FORM = re.compile(r'<form\b[^>]*?data-post="([^"]*)"[^>]*>')
METHOD = re.compile(r'data-method="(\w+)"')
FILLED = re.compile(r"{{.*?}}")


def forms() -> Iterator[tuple[str, str, str]]:
    """Method and address of every form of the panel's templates, and the template it stands in."""
    for path in sorted((STATIC.parent / "templates").iterdir()):
        text = path.read_text("utf-8")
        for form in FORM.finditer(text):
            method = METHOD.search(form[0])
            yield (method[1] if method else "POST"), form[1], text


def leads(address: str, template: str, path: str) -> bool:
    """Whether a form's address is the path of a route: what the template fills in is a name, or a word it has."""
    parts = [re.escape(part) for part in FILLED.split(address)]
    found = re.fullmatch("(.+)".join(parts), path)
    return found is not None and all(part[0] == "{" or f"'{part}'" in template for part in found.groups())


def acts() -> list[tuple[str, str]]:
    """Method and path of every route that changes state."""
    return [
        (method, path)
        for path, route in api_routes()
        for method in sorted(route.methods or ())
        if method not in ("GET", "HEAD")
    ]


def test_every_act_has_its_form_in_the_panel() -> None:
    found = list(forms())
    missing = {
        (method, path)
        for method, path in acts()
        if not any(method == its and leads(address, text, path) for its, address, text in found)
    }
    assert len(acts()) >= 70
    assert missing == set(WITHOUT_FORM)


def test_every_form_leads_to_an_act() -> None:
    lost = [
        address
        for method, address, text in forms()
        if not any(method == its and leads(address, text, path) for its, path in acts())
    ]
    assert lost == []


def test_a_form_sent_before_the_script_runs_goes_nowhere() -> None:
    """Sent as a browser does it by itself, its fields would stand in the address, a PIN among them."""
    for path in sorted((STATIC.parent / "templates").iterdir()):
        for form in FORM.finditer(path.read_text("utf-8")):
            assert ' method="dialog"' in form[0], (path.name, form[0])
