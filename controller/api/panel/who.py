"""Whom a reader of journals means by what is typed: an account, or everybody whose shown name holds the words."""

import unicodedata

from controller.api.context import ApiPorts
from controller.api.texts import catalogue


def logins_of(ports: ApiPorts, language: str, asked: str) -> tuple[str, ...]:
    """The account itself, everybody whose shown name holds these words, whatever else acts by such a name.

    Nobody named is nobody left out; a name that nobody has is taken for an account, and finds nothing.
    """
    wanted = _folded(asked)
    if not wanted:
        return ()
    texts = catalogue(language).texts
    shown = {key.removeprefix("actor."): text for key, text in texts.items() if key.startswith("actor.")}
    shown |= {user.login: user.name for user in ports.accounts.state.users.values()}
    found = [actor for actor, name in shown.items() if wanted in _folded(name) or actor == asked.strip()]
    return tuple(found) or (asked.strip(),)


def _folded(text: str) -> str:
    """A name as it is compared: without accents, case and spaces around."""
    plain = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
