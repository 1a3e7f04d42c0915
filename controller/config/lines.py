"""Line of every key in a TOML text; the standard parser gives values but no places."""

import tomllib

from controller.config.faults import Key

_BLANKS = " \t"
_QUOTES = "\"'"


def key_lines(text: str) -> dict[Key, int]:
    """Line (from 1) of every key, table and list item of a TOML text; TOMLDecodeError when it is none."""
    tomllib.loads(text)
    return _Scanner(text.replace("\r\n", "\n")).scan()


class _Scanner:
    """Walks a text that is known to be valid, so it only looks for where things begin and end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted_to = 0
        self._counted_line = 1
        self._lines: dict[Key, int] = {}
        self._arrays: dict[Key, int] = {}

    def scan(self) -> dict[Key, int]:
        section: Key = ()
        while self._skip_blank_lines():
            if self._text.startswith("[[", self._at):
                section = self._header(2)
            elif self._text[self._at] == "[":
                section = self._header(1)
            else:
                self._pair(section)
        return self._lines

    def _header(self, brackets: int) -> Key:
        line = self._line()
        self._at += brackets
        parts = self._key("]")
        self._at += brackets
        place = (*self._resolve(parts[:-1]), parts[-1])
        if brackets == 2:
            index = self._arrays.get(place, -1) + 1
            self._arrays[place] = index
            self._lines.setdefault(place, line)
            place = (*place, index)
        self._note(place, line)
        return place

    def _resolve(self, parts: Key) -> Key:
        """Names of a header as a path: an array of tables stands for its newest item."""
        place: Key = ()
        for part in parts:
            place = (*place, part)
            if place in self._arrays:
                place = (*place, self._arrays[place])
        return place

    def _note(self, place: Key, line: int) -> None:
        for length in range(1, len(place)):
            self._lines.setdefault(place[:length], line)
        self._lines[place] = line

    def _pair(self, section: Key) -> None:
        line = self._line()
        place = section + self._key("=")
        self._at += 1
        self._note(place, line)
        self._value(place)

    def _key(self, end: str) -> Key:
        """Dotted key up to the end character, which is left unread."""
        parts: list[str | int] = []
        while True:
            self._skip(_BLANKS)
            if self._text[self._at] in _QUOTES:
                start = self._at
                self._string()
                parts.append(str(tomllib.loads(f"k = {self._text[start : self._at]}")["k"]))
            else:
                start = self._at
                while self._text[self._at] not in f". \t{end}":
                    self._at += 1
                parts.append(self._text[start : self._at])
            self._skip(_BLANKS)
            if self._text[self._at] == end:
                return tuple(parts)
            self._at += 1

    def _value(self, place: Key) -> None:
        self._skip(_BLANKS)
        head = self._text[self._at]
        if head == "[":
            self._list(place)
        elif head == "{":
            self._inline_table(place)
        elif head in _QUOTES:
            self._string()
        else:
            while self._at < len(self._text) and self._text[self._at] not in ",]}#\n":
                self._at += 1

    def _list(self, place: Key) -> None:
        self._at += 1
        index = 0
        while self._skip_blank_lines(",") and self._text[self._at] != "]":
            self._lines[(*place, index)] = self._line()
            self._value((*place, index))
            index += 1
        self._at += 1

    def _inline_table(self, place: Key) -> None:
        self._at += 1
        while self._skip_blank_lines(",") and self._text[self._at] != "}":
            self._pair(place)
        self._at += 1

    def _string(self) -> None:
        quote = self._text[self._at]
        fence = quote * 3 if self._text.startswith(quote * 3, self._at) else quote
        self._at += len(fence)
        while not self._text.startswith(fence, self._at):
            self._at += 2 if self._text[self._at] == "\\" and quote == '"' else 1
        self._at += len(fence)
        while len(fence) == 3 and self._text.startswith(quote, self._at):
            self._at += 1

    def _line(self) -> int:
        """Line of the character at hand, counted on from where it was last asked."""
        self._counted_line += self._text.count("\n", self._counted_to, self._at)
        self._counted_to = self._at
        return self._counted_line

    def _skip(self, characters: str) -> None:
        while self._at < len(self._text) and self._text[self._at] in characters:
            self._at += 1

    def _skip_blank_lines(self, more: str = "") -> bool:
        """Pass blanks, line ends and comments; False at the end of the text."""
        while True:
            self._skip(_BLANKS + "\n" + more)
            if self._at >= len(self._text):
                return False
            if self._text[self._at] != "#":
                return True
            self._at = self._text.find("\n", self._at)
            if self._at < 0:
                self._at = len(self._text)
                return False
