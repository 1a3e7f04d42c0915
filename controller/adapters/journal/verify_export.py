"""Verify a Carrusel journal export with nothing but Python: chain, balance and signed checkpoints.

Ed25519 is verified as RFC 8032, section 5.1.7 says, with plain integers. It speaks Spanish, or English where the
environment's locale is English. Python 3.8 is enough: whoever checks a file may have an older one than the house.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import string
import struct
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

USAGE = """Verify a journal export: chain, balance and signed checkpoints.

Usage: python3 verify_export.py FILE [--key HEX]...      exit 0 all holds, 1 a fault was found, 2 usage

With --key only checkpoints signed by one of these public keys (64 hex digits) count, and the file must have one,
with at most 1000 entries after the last: whoever rewrote the history could take all of them out."""
HOLDS = (
    "{name} ({incarnation}): {entries} entries hold, head {head}, {checkpoints} checkpoints hold, the last at {last}"
)
STRANGE = "line {line}: this is not what an export holds"
SPANISH = {
    USAGE: """Verifica la exportación de un libro: cadena, saldos y puntos de control firmados.

Uso: python3 verify_export.py ARCHIVO [--key HEX]...      sale con 0 si todo se sostiene, 1 si hay una falla, 2 por uso

Con --key solo cuentan los puntos de control firmados por una de esas claves públicas (64 dígitos hexadecimales), y
el archivo debe tener uno, con 1000 asientos como mucho tras el último: quien reescribe la historia puede quitarlos.""",
    HOLDS: (
        "{name} ({incarnation}): {entries} asientos se sostienen, cabeza {head}; "
        "{checkpoints} puntos de control se sostienen, el último: {last}"
    ),
    "FAULT {fault}": "FALLA {fault}",
    "seq {seq}": "asiento {seq}",
    "none": "ninguno",
    STRANGE: "renglón {line}: no es lo que tiene una exportación",
    "this is no export of version 1": "no es una exportación de la versión 1",
    "line 1: it speaks of {said}, the entries are of {name}": "renglón 1: dice {said}; los asientos son de {name}",
    "seq {seq}: the signature of {key} under the checkpoint does not hold": (
        "asiento {seq}: la firma de {key} bajo el punto de control no se sostiene"
    ),
    "seq {seq}: the checkpoint saw another history": "asiento {seq}: el punto de control vio otra historia",
    "seq {seq}: the file ends before its end": "asiento {seq}: el archivo se corta antes de su final",
    "seq {seq}: missing, the next entry is {next}": "asiento {seq}: falta; el que sigue es el {next}",
    "seq {seq}: the entry is not what was chained": "asiento {seq}: no es el que se encadenó",
    "seq {seq}: the postings do not sum to zero": "asiento {seq}: los movimientos no suman cero",
    "{file}: it cannot be read": "{file}: no se puede leer",
    "'{key}' is no public key of 64 hex digits": "'{key}' no es una clave pública de 64 dígitos hexadecimales",
    "no checkpoint is of a key given: nothing shows that this is the history that was signed": (
        "ningún punto de control es de una clave dada: nada muestra que esta sea la historia que se firmó"
    ),
    "{count} entries follow the last checkpoint of a key given, at seq {seq}; one is signed every {every}": (
        "hay {count} asientos después del último punto de control de una clave dada, en el {seq}; se firma cada {every}"
    ),
}
"""What it says, in English and in Spanish (es-AR)."""


def speaks_english() -> bool:
    """Whether the environment's locale is English."""
    asked = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return asked.lower().startswith("en")


def say(template: str, english: bool, **facts: object) -> str:
    """One of the texts above with its facts."""
    return (template if english else SPANISH[template]).format(**facts)


EVERY = 1000
"""A checkpoint is signed after this many entries at the latest."""
LONGEST = 1 << 26
"""Characters of a line; no entry comes near it."""

ENTRY_DOMAIN = b"carrusel entry v1\n"
CHAIN_DOMAIN = b"carrusel chain v1\n"
CHECKPOINT_DOMAIN = b"carrusel checkpoint v1\n"

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

if TYPE_CHECKING:
    Point = tuple[int, int, int, int]


class Fault(Exception):
    """The first thing that does not hold."""

    def __init__(self, template: str, **facts: object) -> None:
        super().__init__(template.format(**facts))
        self.template, self.facts = template, facts

    def said(self, english: bool) -> str:
        """What does not hold, in a language."""
        return say(self.template, english, **self.facts)


def chain_after(previous: bytes, line: dict[str, Any]) -> bytes:
    """The chain that an entry must carry after the chain before it."""
    fields = [line["id"].encode(), line["kind"].encode(), line["actor"].encode(), bytes.fromhex(line["cause"])]
    fields += [line["body"].encode(), line["postings"].encode()]
    lengths = struct.pack(">qIIIIII", line["wall_ms"], *map(len, fields))
    entry = hashlib.sha256(ENTRY_DOMAIN + lengths + b"".join(fields)).digest()
    return hashlib.sha256(CHAIN_DOMAIN + previous + struct.pack(">Q", line["seq"]) + entry).digest()


def add(p: Point, q: Point) -> Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar: int, point: Point) -> Point:
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decompress(data: bytes) -> Point | None:
    """The point of 32 bytes, None when there is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


_base = decompress(bytes([0x58] + [0x66] * 31))
if _base is None:
    raise AssertionError("the base point of RFC 8032 decompresses")
BASE: Point = _base


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature holds; False for a key of small order, for which anybody can sign."""
    if len(signature) != 64:
        return False
    a, r = decompress(public_key), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER or times(8, a)[0] % P == 0:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    left, right = times(s, BASE), add(r, times(k, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def plain(name: object) -> str:
    """A name that may be printed; ValueError for anything else."""
    if not isinstance(name, str) or not name.isprintable():
        raise ValueError("no name")
    return name


class Lives:
    """The name of a journal and its incarnations, as its own entries tell them."""

    def __init__(self) -> None:
        self.name, self.incarnations = "", [""]

    def after(self, line: dict[str, Any]) -> None:
        """The next entry, whose chain holds."""
        if line["seq"] == 1:
            body = json.loads(line["body"])
            self.name, self.incarnations = plain(body["name"]), [plain(body["incarnation"])]
        elif line["kind"] == "journal.restored":
            self.incarnations.append(plain(json.loads(line["body"])["incarnation"]))

    def check(self, header: dict[str, Any]) -> None:
        """Fault when the first line speaks of another journal, or of another life of it."""
        said, name = ((each["name"], each["incarnation"]) for each in (header, self.last()))
        if said != name:
            template = "line 1: it speaks of {said}, the entries are of {name}"
            raise Fault(template, said=" ".join(said), name=" ".join(name))

    def last(self) -> dict[str, str]:
        """As a header names them."""
        return {"name": self.name, "incarnation": self.incarnations[-1]}


def check_checkpoint(line: dict[str, Any], chains: dict[int, str], keys: set[str], lives: Lives) -> bool:
    """Check a checkpoint and its cosignatures; whether it counts."""
    point = line["checkpoint"]
    seq, chain = point["seq"], point["chain"]
    lines = (point["name"], point["incarnation"], str(seq), chain)
    message = CHECKPOINT_DOMAIN + "\n".join(lines).encode() + b"\n"
    for signed in [point, *line["cosignatures"]]:
        if not is_signed(bytes.fromhex(signed["public_key"]), message, bytes.fromhex(signed["signature"])):
            unsigned = "seq {seq}: the signature of {key} under the checkpoint does not hold"
            raise Fault(unsigned, seq=seq, key=signed["public_key"])
    if chains.get(seq) != chain or point["name"] != lives.name or point["incarnation"] not in lives.incarnations:
        raise Fault("seq {seq}: the checkpoint saw another history", seq=seq)
    return not keys or point["public_key"] in keys


def verify(path: str, keys: set[str], english: bool = True) -> str:
    """Read an export from its header to its end; a line of summary, or Fault."""
    number = 0
    header: dict[str, Any] = {}
    chain, seq, counted, last, ended = bytes(32), 0, 0, 0, False
    chains: dict[int, str] = {}
    lives = Lives()
    try:
        with open(path, encoding="utf-8") as file:
            for number, text in numbered(file):
                line = json.loads(text)
                if number == 1:
                    header = line
                    check_header(header)
                elif "end" in line:
                    ended = line["end"] == seq
                elif "checkpoint" in line:
                    if check_checkpoint(line, chains, keys, lives):
                        counted, last = counted + 1, max(last, line["checkpoint"]["seq"])
                else:
                    chain, seq = check_entry(line, chain, seq), seq + 1
                    chains[seq] = line["chain"]
                    lives.after(line)
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError, struct.error) as error:
        raise Fault(STRANGE, line=max(number, 1)) from error
    check_header(header)
    if not ended or seq != header["entries"] or chain.hex() != header["head"]:
        raise Fault("seq {seq}: the file ends before its end", seq=seq + 1)
    lives.check(header)
    if keys:
        check_signed(counted, last, seq)
    where = say("seq {seq}", english, seq=last) if counted else say("none", english)
    return say(HOLDS, english, **lives.last(), entries=seq, head=chain.hex(), checkpoints=counted, last=where)


def numbered(file: TextIO) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, from 1; Fault at one that is longer than any line of an export."""
    for number in itertools.count(1):
        text = file.readline(LONGEST)
        if len(text) == LONGEST:
            raise Fault(STRANGE, line=number)
        if not text:
            return
        yield number, text


def check_signed(counted: int, last: int, seq: int) -> None:
    """Check that the history is vouched for by the keys given, almost to its end."""
    if not counted:
        raise Fault("no checkpoint is of a key given: nothing shows that this is the history that was signed")
    if seq - last > EVERY:
        late = "{count} entries follow the last checkpoint of a key given, at seq {seq}; one is signed every {every}"
        raise Fault(late, count=seq - last, seq=last, every=EVERY)


def check_header(line: dict[str, Any]) -> None:
    """Check what the first line must say."""
    if line.get("carrusel_export") != 1 or not {"entries", "head", "name", "incarnation"} <= line.keys():
        raise Fault("this is no export of version 1")
    plain(line["name"])
    plain(line["incarnation"])


def check_entry(line: dict[str, Any], previous: bytes, seq: int) -> bytes:
    """Check an entry's place, chain and balance; the chain after it."""
    if type(line["seq"]) is not int:
        raise ValueError("a place is a whole number")
    if line["seq"] != seq + 1:
        raise Fault("seq {seq}: missing, the next entry is {next}", seq=seq + 1, next=line["seq"])
    chain = chain_after(previous, line)
    if chain.hex() != line["chain"]:
        raise Fault("seq {seq}: the entry is not what was chained", seq=seq + 1)
    if sum(micros for _, micros in json.loads(line["postings"])) != 0:
        raise Fault("seq {seq}: the postings do not sum to zero", seq=seq + 1)
    return chain


def main(arguments: list[str]) -> int:
    files, keys, english = [], set(), speaks_english()
    if {"-h", "--help"} & set(arguments):
        print(say(USAGE, english))
        return 0
    rest = iter(arguments)
    for argument in rest:
        if argument == "--key":
            keys.add(next(rest, "").replace(" ", "").lower())
        else:
            files.append(argument)
    unfit = sorted(key for key in keys if len(key) != 64 or set(key) - set(string.hexdigits))
    for key in unfit:
        print(say("'{key}' is no public key of 64 hex digits", english, key=key), file=sys.stderr)
    if unfit or len(files) != 1:
        print(say(USAGE, english), file=sys.stderr)
        return 2
    try:
        print(verify(files[0], keys, english))
    except Fault as fault:
        print(say("FAULT {fault}", english, fault=fault.said(english)))
        return 1
    except OSError:
        print(say("{file}: it cannot be read", english, file=files[0]), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
