"""The two draws, made so that anybody can recompute them: a committed seed chain, a keyed hash, unbiased mapping.

Rule, as published:

- Seeds: s(i-1) = SHA-256("carrusel/seed/v1" || s(i)). s(0) is published before the first draw; draw i uses s(i), which
  the draw reveals. s(i) cannot be found from s(i-1), and s(i-1) proves that s(i) was fixed in advance.
- Message: the fields "carrusel/draw/v1", site, table, incarnation, hand (decimal), kind, list hash (hexadecimal),
  outside input (empty when there is none), counter (decimal, from 0), each in UTF-8 behind its length in four bytes,
  big-endian.
- Result in 0..n-1: b = number of bits of n-1; the first b bits of HMAC-SHA256(s(i), message) as a number. A number of n
  or more is thrown away and the counter grows by one. Carta Mágica: n = 52, an index into `DECK`. Jugador Afortunado:
  n = number of positions, an index into their list. Seats of the circle game: kind "seat-1", "seat-2", …, each an
  index into the seats still free, in order of arrival; the list hash is that of the players' names.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.core.cards import DECK, Card

SEED_TAG = b"carrusel/seed/v1"
DRAW_TAG = b"carrusel/draw/v1"
SEED_BYTES = 32
CARTA_MAGICA = "carta_magica"
JUGADOR_AFORTUNADO = "jugador_afortunado"
SEATS = "seat"


@dataclass(frozen=True, slots=True)
class DrawContext:
    """What a draw is bound to. `list_hash`: SHA-256 (hexadecimal) of the frozen list of boxes, antes and credits;
    `outside`: a number cut by the dealer or a public beacon's value, fixed before the bets close; empty when none."""

    site: str
    table: str
    incarnation: str
    hand: int
    kind: str
    list_hash: str
    outside: str = ""


def commitment_of(seed: bytes) -> bytes:
    """What is published before a seed is used: the seed before it in the chain."""
    return hashlib.sha256(SEED_TAG + seed).digest()


def draw_number(seed: bytes, context: DrawContext, size: int) -> int:
    """A number in 0..size-1, each equally likely; ValueError for a size below 1."""
    if size < 1:
        raise ValueError("nothing to draw from")
    shift = 8 * hashlib.sha256().digest_size - (size - 1).bit_length()
    fields = (context.site, context.table, context.incarnation, str(context.hand), context.kind, context.list_hash)
    message = b"".join(_framed(field.encode()) for field in (*fields, context.outside))
    counter = 0
    while True:
        counted = _framed(DRAW_TAG) + message + _framed(str(counter).encode())
        number = int.from_bytes(hmac.digest(seed, counted, "sha256"), "big") >> shift
        if number < size:
            return number
        counter += 1


def draw_card(seed: bytes, context: DrawContext) -> Card:
    """The Carta Mágica (art. 62)."""
    return DECK[draw_number(seed, context, len(DECK))]


def draw_position(seed: bytes, context: DrawContext, positions: Sequence[int]) -> int:
    """The Jugador Afortunado's seat out of the positions that can be drawn (art. 63, reading O-p)."""
    return positions[draw_number(seed, context, len(positions))]


def draw_seats(seed: bytes, context: DrawContext, players: int, seats: Sequence[int]) -> tuple[int, ...]:
    """A seat for each player in order of arrival, all orders equally likely (art. C 18).

    Player i (from 1) draws among the seats still free, in a draw of its own of kind `seat-i`.
    """
    free, drawn = list(seats), []
    for arrival in range(1, players + 1):
        number = draw_number(seed, replace(context, kind=f"{SEATS}-{arrival}"), len(free))
        drawn.append(free.pop(number))
    return tuple(drawn)


def _framed(field: bytes) -> bytes:
    return len(field).to_bytes(4, "big") + field
