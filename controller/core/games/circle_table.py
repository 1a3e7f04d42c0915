"""The circle game between hands: players and their chips, joining, resting, rebuys, sanctions, time (art. C 4-38)."""

from dataclasses import dataclass, field, replace

from controller.core.button import (
    Positions,
    first_positions,
    must_wait,
    next_positions,
    seat_for_newcomer,
)
from controller.core.games.boxes import CardsRead
from controller.core.games.circle_showdown import RakeTerms
from controller.core.pots import clockwise_from
from controller.core.refusal import Refusal, Refused, refuse

HANDS_OF_REST = 2
PLAYERS_AT_END = 3


@dataclass(frozen=True, slots=True)
class CircleSettings:
    """A table's terms, fixed for a game (art. 7-9); amounts in minor units, seats clockwise from the dealer's left."""

    seats: tuple[int, ...]
    small_blind: int
    big_blind: int
    rake: RakeTerms
    buy_in_minimum: int
    rebuy_minimum: int
    buy_total_maximum: int | None = None
    players_minimum: int = 4
    duration_minutes: int = 120
    action_seconds: int = 60
    countdown_seconds: int = 10
    cards_read: CardsRead = CardsRead.NONE
    hole_and_flop: bool = False
    folded_box_keeps_jackpot: bool = False

    @property
    def places(self) -> int:
        return max(self.seats)


@dataclass(frozen=True, slots=True)
class Player:
    """A seated player. bought: in this game; missed: blinds owed from a rest; pending: a rebuy that waits for
    the hand's end; waiting: he plays no hand yet (art. 23); out: he leaves after the hand (art. 70)."""

    seat: int
    stack: int
    bought: int
    resting: bool = False
    rests: int = 0
    missed: int = 0
    pending: int = 0
    waiting: bool = False
    out: bool = False


@dataclass(frozen=True, slots=True)
class CircleTable:
    """What goes on from hand to hand. hands_left: hands still played once the time is over; ended: why the game did.

    orbit: hands that take the button once around the players of the first hand (art. 25).
    """

    players: tuple[Player, ...] = ()
    positions: Positions | None = None
    drawn: tuple[tuple[str, int], ...] = ()
    game: int = 1
    hands: int = 0
    orbit: int = 0
    minutes: int = 0
    hands_left: int | None = None
    ended: str = ""
    rebought: tuple[tuple[int, int], ...] = ()

    def player(self, seat: int) -> Player | None:
        return next((each for each in self.players if each.seat == seat), None)

    def with_player(self, player: Player) -> "CircleTable":
        others = [each for each in self.players if each.seat != player.seat]
        return replace(self, players=tuple(sorted([*others, player], key=lambda each: each.seat)))

    def without(self, seat: int) -> "CircleTable":
        return replace(self, players=tuple(each for each in self.players if each.seat != seat))


@dataclass(frozen=True, slots=True)
class Plan:
    """The next hand: button and blinds, who plays it, and who is dealt cards that are folded at once (art. 38)."""

    positions: Positions
    playing: tuple[int, ...]
    dealt_away: tuple[int, ...] = field(default=())

    @property
    def dealt(self) -> tuple[int, ...]:
        """Seats that get cards, in the order of the deal (art. 41-44)."""
        return clockwise_from(self.positions.button, (*self.playing, *self.dealt_away))


Change = CircleTable | Refused


def plan(settings: CircleSettings, table: CircleTable) -> Plan | Refused:
    """Button, blinds and players of the next hand, or why none can be played (art. 16, 26)."""
    if table.ended:
        return refuse(Refusal.GAME_ENDED, game=table.game, why=table.ended)
    holding = [each for each in table.players if each.stack > 0]
    if len(holding) < settings.players_minimum:
        return refuse(Refusal.TOO_FEW_PLAYERS, players=len(holding), least=settings.players_minimum)
    seats = [each.seat for each in holding]
    placed = first_positions(seats) if table.positions is None else next_positions(table.positions, seats)
    here = [
        each.seat
        for each in holding
        if not each.resting and not (each.waiting and must_wait(each.seat, placed, settings.places))
    ]
    blinds = (placed.small_blind, placed.big_blind)
    away = [
        each.seat
        for each in holding
        if each.resting and (each.seat in blinds or each.rests >= HANDS_OF_REST or len(here) < settings.players_minimum)
    ]
    if len(here) < 2:
        return refuse(Refusal.TOO_FEW_PLAYERS, players=len(here), least=2)
    return Plan(placed, tuple(here), tuple(away))


def begin_hand(settings: CircleSettings, table: CircleTable, planned: Plan) -> tuple[CircleTable, dict[int, int]]:
    """The table once the hand's blinds are due, and the missed blinds that each seat puts into its pot (art. 38)."""
    owed = {planned.positions.big_blind: settings.big_blind}
    if planned.positions.small_blind is not None:
        owed[planned.positions.small_blind] = settings.small_blind
    dead: dict[int, int] = {}
    players = []
    for each in table.players:
        if each.resting:
            each = replace(each, rests=each.rests + 1, missed=each.missed + owed.get(each.seat, 0))
        elif each.seat in planned.playing:
            # Who is left without a chip by the blinds he missed would be dealt in for nothing: one chip stays his.
            paid = min(each.missed, each.stack - 1)
            if paid:
                dead[each.seat] = paid
            each = replace(each, stack=each.stack - paid, missed=0, waiting=False)
        players.append(each)
    begun = replace(table, players=tuple(players), positions=planned.positions, hands=table.hands + 1, rebought=())
    return (replace(begun, orbit=len(planned.playing)) if table.positions is None else begun), dead


def after_hand(settings: CircleSettings, table: CircleTable, stacks: dict[int, int]) -> CircleTable:
    """The table after a played hand: chips, rebuys that waited, who is eliminated, whether the game ends (26-32)."""
    players = []
    for each in table.players:
        stack = stacks.get(each.seat, each.stack) + each.pending
        limit = settings.buy_total_maximum
        spent = limit is not None and each.bought + settings.rebuy_minimum > limit
        if each.out or (stack == 0 and spent):
            continue
        players.append(replace(each, stack=stack, pending=0))
    left = None if table.hands_left is None else table.hands_left - 1
    played = replace(table, players=tuple(players), hands_left=left, ended="time" if left == 0 else "")
    return _ended_by_players(played)


def after_void(table: CircleTable) -> CircleTable:
    """The table that a void hand goes back to, with the rebuys made meanwhile (art. 61)."""
    players = tuple(replace(each, stack=each.stack + each.pending, pending=0) for each in table.players)
    return _ended_by_players(replace(table, players=players))


def _ended_by_players(table: CircleTable) -> CircleTable:
    """A game that has begun ends when three players are left (art. 26)."""
    if table.ended or table.positions is None or len(table.players) > PLAYERS_AT_END:
        return table
    return replace(table, ended="players")


def draw_seats(
    settings: CircleSettings, table: CircleTable, players: tuple[str, ...], seats: tuple[int, ...]
) -> Change:
    """The record of the draw of seats, before anybody sits (art. 18)."""
    if table.players:
        return refuse(Refusal.SEAT_TAKEN, seat=table.players[0].seat)
    if len(players) != len(seats) or len(set(seats)) != len(seats) or not set(seats) <= set(settings.seats):
        return refuse(Refusal.UNKNOWN_SEAT, seats=" ".join(str(seat) for seat in seats))
    return replace(table, drawn=tuple(zip(players, seats, strict=True)))


def open_game(settings: CircleSettings, table: CircleTable) -> Change:
    """The next game, with those who stayed; everybody's purchases count from here (art. 28-29)."""
    if not table.ended:
        return refuse(Refusal.GAME_IN_COURSE, game=table.game)
    players = tuple(
        replace(each, bought=each.stack, rests=0, missed=0, waiting=False) for each in table.players if each.stack
    )
    return CircleTable(players=players, game=table.game + 1)


def chips_asked(settings: CircleSettings, table: CircleTable) -> tuple[int, int | None]:
    """The least a newcomer brings and, once the button has been round, exactly what: the others' average (art. 25).

    Never more than the most chips a player may buy in the game (art. 7, 29).
    """
    if not table.hands or table.hands < table.orbit or not table.players:
        return settings.buy_in_minimum, None
    chip = settings.rake.unit
    average = sum(each.stack for each in table.players) // len(table.players) // chip * chip
    most = settings.buy_total_maximum
    asked = average if most is None else min(average, most)
    return asked, asked


def seat_player(settings: CircleSettings, table: CircleTable, seat: int, chips: int | None) -> Change:
    """A player sits down: at his drawn seat before the game, at the one nearest to the big blind in it (art. 18-25)."""
    if seat not in settings.seats:
        return refuse(Refusal.UNKNOWN_SEAT, seat=seat)
    if table.player(seat) is not None:
        return refuse(Refusal.SEAT_TAKEN, seat=seat)
    if table.ended:
        return refuse(Refusal.GAME_ENDED, game=table.game, why=table.ended)
    waits = False
    if table.positions is not None:
        occupied = [each.seat for each in table.players]
        nearest = seat_for_newcomer(table.positions.big_blind, occupied, settings.places)
        if seat != nearest:
            return refuse(Refusal.SEAT_NOT_NEAREST, seat=seat, nearest=nearest or 0)
        waits = must_wait(seat, table.positions, settings.places)
    elif table.drawn and seat not in [drawn for _, drawn in table.drawn]:
        return refuse(Refusal.SEAT_NOT_DRAWN, seat=seat)
    least, exact = chips_asked(settings, table)
    chips = least if chips is None else chips
    if exact is not None and chips != exact:
        return refuse(Refusal.BUY_WRONG_AMOUNT, seat=seat, amount=chips, exact=exact)
    refused = _check_buy(settings, seat, chips, least, 0)
    return refused or table.with_player(Player(seat, chips, chips, waiting=waits))


def leave(table: CircleTable, seat: int) -> Change:
    """Between hands (art. 34); his blinds are then dead (art. 36)."""
    if table.player(seat) is None:
        return refuse(Refusal.SEAT_FREE, seat=seat)
    return _ended_by_players(table.without(seat))


def rest(table: CircleTable, seat: int, resting: bool) -> Change:
    """A player goes to rest or comes back (art. 37-38)."""
    player = table.player(seat)
    if player is None:
        return refuse(Refusal.SEAT_FREE, seat=seat)
    if player.resting == resting:
        return refuse(Refusal.ALREADY_DECIDED, seat=seat)
    return table.with_player(replace(player, resting=resting, rests=0))


def rebuy(settings: CircleSettings, table: CircleTable, seat: int, chips: int, in_hand: bool) -> Change:
    """More chips within the game's limits; in a hand they wait for its end (art. 29-33)."""
    player = table.player(seat)
    if player is None:
        return refuse(Refusal.SEAT_FREE, seat=seat)
    refused = _check_buy(settings, seat, chips, settings.rebuy_minimum, player.bought)
    if refused is not None:
        return refused
    stack, pending = (player.stack, player.pending + chips) if in_hand else (player.stack + chips, player.pending)
    waits = _waits_with_chips(settings, table, player)
    bought = replace(player, stack=stack, pending=pending, bought=player.bought + chips, waiting=waits)
    return replace(table.with_player(bought), rebought=(*table.rebought, (seat, chips)))


def _waits_with_chips(settings: CircleSettings, table: CircleTable, player: Player) -> bool:
    """Whether a player who gets chips plays no hand yet: button and blinds have passed one without any (art. 23)."""
    if player.stack or table.positions is None:
        return player.waiting
    return must_wait(player.seat, table.positions, settings.places)


def count_stack(settings: CircleSettings, table: CircleTable, seat: int, chips: int) -> Change:
    """What two people have counted is what the player has."""
    player = table.player(seat)
    if player is None:
        return refuse(Refusal.SEAT_FREE, seat=seat)
    if chips < 0:
        return refuse(Refusal.BUY_WRONG_AMOUNT, seat=seat, amount=chips, exact=0)
    return table.with_player(replace(player, stack=chips, waiting=_waits_with_chips(settings, table, player)))


def minute_passed(settings: CircleSettings, table: CircleTable, in_hand: bool) -> CircleTable:
    """Another minute of the game; when its time is over the hand in course is finished and one more played (14-15)."""
    table = replace(table, minutes=table.minutes + 1)
    if table.minutes < settings.duration_minutes or table.hands_left is not None:
        return table
    return replace(table, hands_left=2 if in_hand else 1)


def _check_buy(settings: CircleSettings, seat: int, chips: int, least: int, bought: int) -> Refused | None:
    if chips < least:
        return refuse(Refusal.BUY_BELOW_MINIMUM, seat=seat, amount=chips, least=least)
    most = settings.buy_total_maximum
    if most is not None and bought + chips > most:
        return refuse(Refusal.BUY_ABOVE_MAXIMUM, seat=seat, amount=chips, most=most - bought)
    return None
