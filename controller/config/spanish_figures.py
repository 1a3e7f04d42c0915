"""The Spanish (es-AR) of the figures and readings that `check-config` prints; the English text is the key."""

from collections.abc import Mapping

_QUESTIONS = {
    "when a hand's share joins the meter": "cuándo entra al pozo la parte de una mano",
    "royal and straight flush in one hand": "escalera real y escalera de color en una mano",
    "equal straight flushes": "escaleras de color iguales",
    "odd centavos of a split": "centavos sobrantes de un reparto",
    "credits multiply": "los créditos multiplican",
    "who pays fixed rows": "quién paga las filas fijas",
    "a partial prize takes the meter below the start value: topped up": (
        "un premio parcial deja el pozo bajo el valor inicial: se completa"
    ),
    "after a royal": "después de una escalera real",
    "voided hand": "mano anulada",
    "one player in several boxes": "un jugador en varias casillas",
    "linked tables after a royal": "mesas enlazadas después de una escalera real",
    "royals at two linked tables": "escaleras reales en dos mesas enlazadas",
    "positions that can be drawn": "posiciones que pueden salir",
    "how often the draws run": "cada cuánto se sortea",
    "what pays the draws": "qué paga los sorteos",
    "a credit taken back": "un crédito retirado",
    "a folded box keeps its jackpot": "la casilla que se retira conserva el jackpot",
    "a box that bought a card": "una casilla que compró carta",
    "Carta Mágica cards": "cartas de la Carta Mágica",
    "draws and a folded box": "sorteos y casilla retirada",
    "several winners": "varios ganadores",
    "cards that count for the bonus": "cartas que valen para el bono",
    "a folded box keeps its bonus": "la casilla que se retira conserva el bono",
    "restart and start value": "reinicio y valor inicial",
    "the dealer qualifies": "la banca califica",
    "fixed rows multiply by credits": "las filas fijas se multiplican por créditos",
    "bonus stake": "apuesta de bono",
    "the ante is paid from": "el ante se paga desde",
    "rake floored to": "rake redondeado hacia abajo a múltiplos de",
    "all-in raise below one big blind": "subida con todo menor que una ciega grande",
    "short big blind": "ciega grande incompleta",
    "dead button": "botón muerto",
    "A-2-3-4-5 as a straight": "A-2-3-4-5 como escalera",
    "rake without a flop": "rake sin flop",
    "jackpot of the circle table": "jackpot de la mesa de círculo",
    "cards that count for the jackpot": "cartas que valen para el jackpot",
}
_ANSWERS = {
    "no draws": "sin sorteos",
    "no draw": "sin sorteo",
    "before no va más, from level sensors": "antes del no va más, con sensores de nivel",
    "never: no level sensor": "nunca: sin sensor de nivel",
    "no circle game": "no es juego de círculo",
    "at no va más, before any prize": "al no va más, antes de todo premio",
    "10 % each of the hand's initial amount": "10 % del importe inicial de la mano a cada una",
    "each share floored, the rest stays in the meter": "cada parte hacia abajo, el resto queda en el pozo",
    "start value or reserve, the higher, and the remainder": "valor inicial o reserva, el mayor, más el resto",
    "reversed by new entries, bets returned, draws cancelled": (
        "revertida con nuevos asientos, apuestas devueltas, sorteos anulados"
    ),
    "each box's jackpot bet counts": "vale la apuesta de jackpot de cada casilla",
    "each at its own start; parts in proportion": "cada una a su valor inicial; partes en proporción",
    "order of registration; the second is flagged": "orden de registro; la segunda se señala",
    "loses the progressive, stays in both draws": "pierde el progresivo, sigue en los dos sorteos",
    "the five dealt, not the bought one": "las cinco repartidas, no la comprada",
    "no card is bought in hold'em": "en hold'em no se compran cartas",
    "the two hole cards, not the board": "las dos propias, no las de la mesa",
    "in both draws: its two cards are shown": "en los dos sorteos: sus dos cartas se muestran",
    "lucky seat kept; its cards are not seen": "conserva el afortunado; sus cartas no se ven",
    "lucky seat kept; magic card only if shown": "conserva el afortunado; la mágica, solo si se muestra",
    "as articles 58-59 of Oasis": "como los artículos 58-59 de Oasis",
    "as in Oasis": "como en Oasis",
    "always": "siempre",
    "does not reopen the betting": "no reabre las apuestas",
    "the others owe the full blind": "los demás deben la ciega entera",
    "the button stays in place": "el botón queda en su lugar",
    "counts as a straight": "vale como escalera",
    "fixed rows, never percentages": "las filas fijas, nunca los porcentajes",
    "no row": "ninguna fila",
}
_LINES = {
    "contributions exact in millionths of the unit; prizes floored to minor units, the rest stays in the meter": (
        "aportes exactos en millonésimas de la unidad; premios en unidades menores hacia abajo, el resto sigue allí"
    ),
    "1 in {hands}": "1 en {hands}",
    "{percent} % of the meter": "{percent} % del pozo",
    "fault": "falla",
    "warning": "aviso",
    "{file}: cannot run; {count} fault": "{file}: no puede funcionar; {count} falla",
    "{file}: cannot run; {count} faults": "{file}: no puede funcionar; {count} fallas",
    "{file}: can run; {count} warning": "{file}: puede funcionar; {count} aviso",
    "{file}: can run; {count} warnings": "{file}: puede funcionar; {count} avisos",
    "rounding: {rounding}": "redondeo: {rounding}",
    "terms {hash}": "términos {hash}",
    "readings:": "lecturas:",
    "screens:": "pantallas:",
    "access by role:": "acceso por función:",
    "jackpot {kind}, {cards} cards count": "jackpot {kind}, valen {cards} cartas",
    "of each bet: {meter} to the meter, {reserve} to the reserve, {draws} to the draws": (
        "de cada apuesta: {meter} al pozo, {reserve} a la reserva, {draws} a los sorteos"
    ),
    "a box wins a prize in {rate} of hands": "una casilla gana un premio en {rate} de las manos",
    "long-run return, as a part of the bet, by credits bet:": (
        "retorno a la larga, como parte de la apuesta, por créditos apostados:"
    ),
    "row": "fila",
    "pays": "paga",
    "per credit": "por crédito",
    "one in (hands)": "una en (manos)",
    "yes": "sí",
    "progressive": "progresivo",
    "of fixed sums": "de sumas fijas",
    "fixed": "fijos",
    "contribution": "aporte",
    "reserve": "reserva",
    "restarts": "reinicios",
    "lent": "prestado",
    "lent: what the house adds to a meter that pays the fixed rows; the sum is an upper bound": (
        "prestado: lo que la casa agrega a un pozo que paga las filas fijas; la suma es una cota superior"
    ),
    "draws": "sorteos",
    "in all": "en total",
    "credits": "créditos",
    "start value {start}, at least {bound} (art. 57)": "valor inicial {start}, como mínimo {bound} (art. 57)",
    "start value {start}": "valor inicial {start}",
    "break-even meter with one credit {meter}": "pozo de equilibrio con un crédito {meter}",
    "expected meter when the whole of it is won {trigger}": "pozo esperado cuando se gana entero {trigger}",
    "if {bonus_cards} counted: top row {top_row} hands, return {return_}": (
        "si valieran {bonus_cards}: primera fila {top_row} manos, retorno {return_}"
    ),
}
_SETTINGS = {
    "royal flush": "escalera real",
    "straight flush": "escalera de color",
    "four of a kind": "póker",
    "full house": "full",
    "flush": "color",
    "straight": "escalera",
    "three of a kind": "pierna",
    "two pair": "par doble",
    "pair": "par",
    "ace-king": "as y rey",
    "high card": "carta alta",
    "the highest first: the royal takes all, the straight flush its part of the rest": (
        "primero la mayor: la real se lleva todo y la de color, su parte de lo que quede"
    ),
    "the straight flush first, the royal what remains": "primero la de color; la real, lo que quede",
    "the royal first, the straight flush its part of the restart value": (
        "primero la real; la de color, su parte del valor de reinicio"
    ),
    "the house": "la casa",
    "a pool of the draw's own": "un pozo propio del sorteo",
    "the first five": "las cinco primeras",
    "the best five of seven": "las cinco mejores de siete",
    "the two of the box and the flop": "las dos de la casilla y el flop",
    "every box, empty ones too": "todas las casillas, también las vacías",
    "the occupied boxes": "las casillas ocupadas",
    "the boxes with a jackpot bet": "las casillas con apuesta de jackpot",
    "host": "anfitrión",
    "member": "miembro",
    "{draw} {often}": "{draw}, {often}",
    "{one}, {other}": "{one}; {other}",
    "in every hand": "en cada mano",
    "at the dealer's key": "con la tecla de la mesa",
    "in one of {hands} hands": "en una de cada {hands} manos",
}
_COUNTS = {
    "{count} credit": "{count} crédito",
    "{count} credits": "{count} créditos",
    "{first} to {last} credits": "{first} a {last} créditos",
    "{count} entry": "{count} asiento",
    "{count} entries": "{count} asientos",
}
_ODDS = {
    "--plot draws a simulated path: give --simulate N": "--plot dibuja un camino simulado: indicar --simulate N",
    "--credits {credits}: at most {most} in this preset": "--credits {credits}: {most} como máximo en este preset",
    "--simulate needs a progressive prize list: this preset has no meter": (
        "--simulate necesita una lista progresiva: este preset no tiene pozo"
    ),
    "hands": "manos",
    "five-card hands looked at one by one": "manos de cinco cartas miradas una por una",
    "simulated hands": "manos simuladas",
    "{game}  {preset}: {hands} hands of {cards} cards": "{game}  {preset}: {hands} manos de {cards} cartas",
    "category": "categoría",
    "chance": "probabilidad",
    "the bank qualifies in {part} of deals": "la banca califica en {part} de las manos",
    "a box wins a prize in {part} of hands, in one of {hands}": (
        "una casilla gana un premio en {part} de las manos, en una de {hands}"
    ),
    "return, as a part of the bet, with the meter at {meter} and in the long run:": (
        "retorno, como parte de la apuesta, con el pozo en {meter} y a la larga:"
    ),
    "at this meter": "con este pozo",
    "long run": "a la larga",
    "break-even meter": "pozo de equilibrio",
    "amounts in units of the currency; --meter and --json count them in minor units": (
        "importes en unidades de la moneda; --meter y --json los cuentan en unidades menores"
    ),
    "simulated {count} hand of {credits}, seed {seed}": "{count} mano simulada de {credits}, semilla {seed}",
    "simulated {count} hands of {credits}, seed {seed}": "{count} manos simuladas de {credits}, semilla {seed}",
    "meter {start} → {end}, highest {highest}": "pozo {start} → {end}, máximo {highest}",
    "whole meter won {count} time, at {mean}": "pozo entero ganado {count} vez, con {mean}",
    "whole meter won {count} times, on average at {mean}": "pozo entero ganado {count} veces, en promedio con {mean}",
    "whole meter never won": "pozo entero nunca ganado",
    "house funding {funding}; returned {part} of the stakes": (
        "aporte de la casa {funding}; volvió {part} de lo apostado"
    ),
    "picture: {file}": "imagen: {file}",
}
FIGURES: Mapping[str, str] = {**_QUESTIONS, **_ANSWERS, **_LINES, **_SETTINGS, **_COUNTS, **_ODDS}
