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
    "bonus stake, minor units": "apuesta de bono, en unidades menores",
    "the ante is paid from": "el ante se paga desde",
    "rake floored to, minor units": "rake redondeado hacia abajo a, en unidades menores",
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
    "{file}: cannot run; {count} fault(s)": "{file}: no puede funcionar; {count} falla(s)",
    "{file}: can run; {count} warning(s)": "{file}: puede funcionar; {count} aviso(s)",
    "rounding: {rounding}": "redondeo: {rounding}",
    "terms {hash}": "términos {hash}",
    "readings:": "lecturas:",
    "access by role:": "acceso por función:",
    "jackpot {kind}, {cards} cards count": "jackpot {kind}, valen {cards} cartas",
    "of each bet: {displayed_bp} bp meter, {reserve_bp} bp reserve, {draw_pools_bp} bp draws": (
        "de cada apuesta: {displayed_bp} pb al pozo, {reserve_bp} pb a la reserva, {draw_pools_bp} pb a los sorteos"
    ),
    "hit rate {rate}; long-run return by credits bet:": "frecuencia {rate}; retorno a la larga por créditos apostados:",
    "row": "fila",
    "pays": "paga",
    "per credit": "por crédito",
    "one in": "una en",
    "yes": "sí",
    "fixed": "fijos",
    "contribution": "aporte",
    "reserve": "reserva",
    "restarts": "reinicios",
    "draws": "sorteos",
    "in all": "en total",
    "credits": "créditos",
    "start value {start}, bound {bound} (art. 57), in minor units": (
        "valor inicial {start}, mínimo {bound} (art. 57), en unidades menores"
    ),
    "break-even meter {meter}, in minor units, one credit": (
        "pozo de equilibrio {meter}, en unidades menores, con un crédito"
    ),
    "expected trigger value {trigger}": "valor esperado al caer {trigger}",
    "with {bonus_cards}: top row {top_row}, return {return_}": (
        "con {bonus_cards}: primera fila {top_row}, retorno {return_}"
    ),
}
_ODDS = {
    "--plot draws a simulated path: give --simulate N": "--plot dibuja un camino simulado: indicar --simulate N",
    "--credits {credits}: at most {most} in this preset": "--credits {credits}: {most} como máximo en este preset",
    "--simulate needs a progressive prize list: this preset has no meter": (
        "--simulate necesita una lista progresiva: este preset no tiene pozo"
    ),
    "hands": "manos",
    "simulated hands": "manos simuladas",
    "{game}  {preset}: {hands} hands of {cards} cards": "{game}  {preset}: {hands} manos de {cards} cartas",
    "category": "categoría",
    "chance": "probabilidad",
    "the bank qualifies in {part} of deals": "la banca califica en {part} de las manos",
    "a box wins a prize in {part} of hands, once in {hands}": (
        "una casilla gana un premio en {part} de las manos, una en {hands}"
    ),
    "return at {meter}": "retorno con {meter}",
    "long run": "a la larga",
    "break-even meter": "pozo de equilibrio",
    "expected trigger value {trigger} (amounts in minor units)": (
        "valor esperado al caer {trigger} (importes en unidades menores)"
    ),
    "simulated {hands} hands of {credits} credit(s), seed {seed}": (
        "{hands} manos simuladas de {credits} crédito(s), semilla {seed}"
    ),
    "meter {start} → {end}, highest {highest}": "pozo {start} → {end}, máximo {highest}",
    "whole meter won {times} times, on average at {mean}": "pozo entero ganado {times} veces, en promedio con {mean}",
    "whole meter never won": "pozo entero nunca ganado",
    "house funding {funding}; returned {part} of the stakes": (
        "aporte de la casa {funding}; volvió {part} de lo apostado"
    ),
    "picture: {file}": "imagen: {file}",
}
FIGURES: Mapping[str, str] = {**_QUESTIONS, **_ANSWERS, **_LINES, **_ODDS}
