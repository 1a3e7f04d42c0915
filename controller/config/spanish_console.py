"""The Spanish (es-AR) of what the commands print beside their help; the English text is the key."""

from collections.abc import Mapping

_ENDS = {
    "interrupted": "interrumpido",
    "Help: {command} --help": "Ayuda: {command} --help",
}
_JOURNAL = {
    "{name}: {count} entry holds, head {head}": "{name}: {count} asiento se sostiene, cabeza {head}",
    "{name}: {count} entries hold, head {head}": "{name}: {count} asientos se sostienen, cabeza {head}",
    "incarnation {incarnation}, {count} checkpoint holds": (
        "encarnación {incarnation}, {count} punto de control se sostiene"
    ),
    "incarnation {incarnation}, {count} checkpoints hold": (
        "encarnación {incarnation}, {count} puntos de control se sostienen"
    ),
    "FAULT {place}": "FALLA {place}",
    "good up to seq {seq}; last good checkpoint: {where}": (
        "se sostiene hasta el asiento {seq}; último punto de control bueno: {where}"
    ),
    "{file}: {entries}, head {head}": "{file}: {entries}, cabeza {head}",
    "verify with: {command}": "para verificarlo: {command}",
    "{journal}: {count} entry of {name} restored; a new incarnation begins": (
        "{journal}: restaurado {count} asiento de {name}; empieza una encarnación nueva"
    ),
    "{journal}: {count} entries of {name} restored; a new incarnation begins": (
        "{journal}: restaurados {count} asientos de {name}; empieza una encarnación nueva"
    ),
    "an export is checked by the checkpoints in it; --checkpoint is for a journal": (
        "una exportación se revisa con los puntos de control que trae; --checkpoint es para un libro"
    ),
    "it lacks what one holds": "le falta lo que tiene uno",
    "{path} is no checkpoint: {why}": "{path} no es un punto de control: {why}",
    "{text} is no public key in hex": "{text} no es una clave pública en hexadecimal",
    "{text} is no time such as 2026-05-01T20:00": "{text} no es un momento como 2026-05-01T20:00",
    "{busy}; give --name, and --state to ask the daemon that holds it": (
        "{busy}; dé --name, y --state para preguntarle al servicio que lo tiene"
    ),
    "{busy}, and {silent}: stop what holds it, or read a backup": (
        "{busy}, y {silent}: detenga lo que lo usa, o lea un respaldo"
    ),
    "{busy}, and {silent}": "{busy}, y {silent}",
    "entry {seq}: {told}": "asiento {seq}: {told}",
    "the hand before ended without its draw ({found})": "la mano anterior terminó sin su sorteo ({found})",
    "it draws {found}, and what was still to be drawn is {expected}": (
        "sortea {found}, y lo que faltaba sortear es {expected}"
    ),
    "its seed is not the one published before: the fingerprint {expected} was, not {found}": (
        "su semilla no es la publicada antes: se publicó la huella {expected}, no {found}"
    ),
    "it is draw {found} of its chain, and should be {expected}": (
        "es el sorteo {found} de su cadena, y debería ser el {expected}"
    ),
    "the list does not give the fingerprint {found}, but {expected}": (
        "la lista no da la huella {found}, sino {expected}"
    ),
    "{found} is no seed": "{found} no es una semilla",
    "it is of hand {found}, and bets were closed in hand {expected}": (
        "es de la mano {found}, y las apuestas se cerraron en la mano {expected}"
    ),
    "its number from outside is {found}, and the one fixed before is {expected}": (
        "su número de afuera es {found}, y el fijado antes es {expected}"
    ),
    "a chain of seeds was left without a reason after draw {found} of {expected}": (
        "se dejó una cadena de semillas sin un motivo después del sorteo {found} de {expected}"
    ),
    "boxes with a jackpot bet could not be drawn: {found}": "casillas con apuesta de jackpot no podían salir: {found}",
    "boxes it was drawn from: {found}; boxes that could be: {expected}": (
        "casillas entre las que se sorteó: {found}; casillas que podían salir: {expected}"
    ),
    "the seats that seed and players give are {expected}, and {found} stand there": (
        "los puestos que dan la semilla y los jugadores son {expected}, y ahí dice {found}"
    ),
    "the sum of {draw} gives {expected}, and {found} stands there": (
        "la cuenta de {draw} da {expected}, y ahí dice {found}"
    ),
    "the next seed was missing": "faltaba la semilla siguiente",
    "no new chain could be made": "no se pudo preparar una cadena nueva",
    "a backup was restored": "se restauró un respaldo",
    "entry {seq}: a chain of seeds was left before its end: {why}": (
        "asiento {seq}: se dejó una cadena de semillas antes de su final: {why}"
    ),
    "the widest list to draw a position from names {boxes} boxes as the table's": (
        "la lista más ancha para sortear una posición nombra {boxes} casilleros de la mesa"
    ),
    "{count} draw was not made: its source had failed": "{count} sorteo no se hizo: falló su fuente de azar",
    "{count} draws were not made: their source had failed": "{count} sorteos no se hicieron: falló su fuente de azar",
    "{count} draw recomputed, {wrong}": "{count} sorteo calculado otra vez; {wrong}",
    "{count} draws recomputed, {wrong}": "{count} sorteos calculados otra vez; {wrong}",
    "{count} does not hold": "{count} no se sostiene",
    "{count} do not hold": "{count} no se sostienen",
    "The chain of entries is not checked here: `carrusel journal verify {export}` does that": (
        "La cadena de asientos no se revisa acá: eso lo hace `carrusel journal verify {export}`"
    ),
}
_CAROUSEL = {
    "{config} hosts no carousel": "{config} no es anfitrión de ningún carrusel",
    "{config}: no carousel accepts {tables}": "{config}: ningún carrusel acepta {tables}",
    "{config}: carousel {carousel} does not accept {table}": (
        "{config}: el carrusel {carousel} no acepta la mesa {table}"
    ),
    "{name} cannot be the name of a user in the broker's list": (
        "{name} no puede ser el nombre de un usuario en la lista del broker"
    ),
    "one user or table twice among {names}": "hay un usuario o una mesa dos veces entre {names}",
    "--node {text}: USER=TABLE,TABLE is wanted": "--node {text}: se espera USUARIO=MESA,MESA",
    "no {file} in {directory}: this node's daemon has not run yet": (
        "no hay {file} en {directory}: el servicio de este equipo todavía no anduvo"
    ),
    "{carousel}: {phase}, term {term}": "{carousel}: {phase}, mandato {term}",
    "term {term} of the host {host}": "mandato {term} del anfitrión {host}",
    "ledger up to record {seq}, {hash}": "libro hasta el registro {seq}, {hash}",
    "amount {amount}": "importe {amount}",
    "open awards: {awards}": "premios abiertos: {awards}",
    "tables set apart: {tables}": "mesas apartadas: {tables}",
    "tables set apart: none": "mesas apartadas: ninguna",
    "key {key}": "clave {key}",
    "table {table}, to be read aloud at both nodes:": "mesa {table}, para leer en voz alta en los dos equipos:",
    "it writes again once two people have promoted it: `carrusel carousel promote`, or the panel": (
        "vuelve a escribir cuando dos personas le dan el mando: `carrusel carousel promote`, o el panel"
    ),
    "this node is not the host of {carousel}; those it is the host of: {hosted}": (
        "este equipo no es el anfitrión de {carousel}; es anfitrión de: {hosted}"
    ),
    "no table": "ninguna mesa",
    "there is no ledger here": "acá no hay un libro",
    "the equation holds": "la cuenta da",
    "the equation does NOT hold": "la cuenta NO da",
    "{table} joins {carousel} once every table of it has heard so": (
        "{table} entra en {carousel} cuando todas sus mesas lo sepan"
    ),
    "{path} is no table's profile: {why}": "{path} no es el perfil de una mesa: {why}",
    "no table {table} in {config}": "no hay una mesa {table} en {config}",
}
_PEOPLE = {
    "{busy}: while the service runs, use the panel, or stop it": (
        "{busy}: mientras el servicio anda, use el panel, o deténgalo"
    ),
    "PIN of {login}": "PIN de {login}",
    "The same PIN again": "El mismo PIN otra vez",
    "a PIN has six digits or more": "un PIN tiene seis dígitos o más",
    "that PIN is too easy": "ese PIN es demasiado fácil",
    "the two PINs are not the same": "los dos PIN no son iguales",
    "no accounts yet": "todavía no hay cuentas",
    "enabled": "habilitada",
    "disabled": "cerrada",
    "{login}: added as {role}": "{login}: agregada, función: {role}",
    "{login}: new PIN": "{login}: PIN nuevo",
    "{login}: disabled": "{login}: cerrada",
    "{login}: not accepted": "{login}: no se acepta",
    "a reason has {least} letters or more, and no sign that is not seen": (
        "un motivo tiene {least} letras o más, y ningún signo que no se vea"
    ),
    "{login}: the PIN has expired, or somebody else set it: `carrusel users passwd --own`": (
        "{login}: el PIN venció, o lo puso otra persona: `carrusel users passwd --own`"
    ),
    "{role} is no role: pit_boss, technician, auditor or admin": (
        "{role} no es una función: pit_boss, technician, auditor o admin"
    ),
}
_NODE = {
    "screens at {address}": "pantallas en {address}",
    "panel at {address}": "panel en {address}",
    "{config} cannot run; `carrusel check-config {config}` says more": (
        "{config} no puede funcionar; `carrusel check-config {config}` dice más"
    ),
    "{path} is not as it was installed": "{path} no está como se instaló",
    "{directory} already holds journals; the demo starts from nothing": (
        "{directory} ya tiene libros; la demo empieza de cero"
    ),
    "Screens": "Pantallas",
    "What to watch": "Qué mirar",
    "every table": "cada mesa",
    "Its second hand holds a straight flush: 10 % of the carousel, within half a minute. It stays pending on every "
    "screen and on the sign until you pay it as two people; the tables play on meanwhile. What to do is said here.": (
        "Su segunda mano trae una escalera de color: 10 % del carrusel, en menos de medio minuto. Queda pendiente en "
        "todas las pantallas y en el cartel hasta que usted lo pague como dos personas; las mesas siguen jugando. "
        "Acá se dirá qué hacer."
    ),
    "Every second hand: Carta Mágica and Jugador Afortunado. The code on the screen opens the page where the "
    "draw is made again: of a demo, on this machine alone, as it leads to 127.0.0.1; a phone opens a house's.": (
        "Una mano sí, una no: Carta Mágica y Jugador Afortunado. El código de la pantalla abre la página donde se hace "
        "el sorteo otra vez: el de la demostración solo en este equipo, porque lleva a 127.0.0.1; el de una sala, en "
        "un teléfono."
    ),
    "The circle game: clocks, blinds, pots, who can win them.": (
        "El juego en círculo: relojes, ciegas, pozos y quién puede ganarlos."
    ),
    "What a pit boss sees: tables, prizes, journal, the shift. As ana you ask for what takes two people, as beto you "
    "approve it, each in a browser window of their own (one of them private).": (
        "Lo que ve un jefe de sector: mesas, premios, libro, turno. Como ana pida lo que lleva dos personas; como beto "
        "apruébelo, cada uno en su ventana del navegador (una de ellas privada)."
    ),
    "{table}: {hand}, {amount}, waits for two people:": "{table}: {hand}, {amount}, espera a dos personas:",
    "1. {address} as {first}, PIN {first_pin}: Prizes, verify it, ask for its payment.": (
        "1. {address} como {first}, PIN {first_pin}: Premios, verificarlo, pedir su pago."
    ),
    "2. The same address in a private window as {second}, PIN {second_pin}: Requests, approve it by that PIN.": (
        "2. La misma dirección en una ventana privada como {second}, PIN {second_pin}: Pedidos, aprobarlo con ese PIN."
    ),
    "{table}: {hand}, settled.": "{table}: {hand}, premio resuelto.",
    "Ctrl-C stops everything.": "Ctrl-C detiene todo.",
    "The demo ended after {seconds} s": "La demostración terminó a los {seconds} s",
    "hands: {hands}": "manos: {hands}",
    "jackpot bets: {bets}; awards: {awards}; draws: {draws}": (
        "apuestas al pozo: {bets}; premios: {awards}; sorteos: {draws}"
    ),
    "journals: {count}, all hold ({entries})": "libros: {count}, todos se sostienen ({entries})",
    "journals that do not hold: {names}": "libros que no se sostienen: {names}",
    "the ledger's equation holds": "la ecuación del libro mayor se cumple",
    "the ledger's equation is broken": "la ecuación del libro mayor no se cumple",
}
_DEVICES = {
    "no serial port found": "no se encontró ningún puerto serie",
    "attention": "atención",
    "controller": "controlador",
    "device": "equipo",
    "seat {seat}": "casilla {seat}",
    "{device} output {output}: {place}": "{device}, salida {output}: {place}",
    "{device} does not answer ({why}); the test stops. Where the service uses the device, stop it first": (
        "{device} no contesta ({why}); la prueba se detiene. Si el servicio usa el equipo, deténgalo antes"
    ),
    "{device} did not answer in {seconds} s; the test stops": (
        "{device} no contestó en {seconds} s; la prueba se detiene"
    ),
    "no output is configured: there is nothing to test": "no hay ninguna salida configurada: no hay qué probar",
    "give PROTOCOL and --hex, or --lines": "dé PROTOCOLO y --hex, o --lines",
    "{port}: a simulated device's port is an absolute path where nothing is yet": (
        "{port}: el puerto de un equipo simulado es un camino absoluto donde todavía no hay nada"
    ),
    "{port}: this link is there already, left behind or in use; remove it if it is left": (
        "{port}: ese enlace ya está, olvidado o en uso; si quedó olvidado, bórrelo"
    ),
    "not understood: {line} ({why})": "no se entiende: {line} ({why})",
    "there is no device {device}, but {devices}": "no hay ningún equipo {device}; hay {devices}",
    "{device} has inputs 0 to {last}": "{device} tiene las entradas 0 a {last}",
    "{device} gives this coin back": "{device} devuelve esa moneda",
    "{device} has no key {keys}": "{device} no tiene la tecla {keys}",
    "{device} is not moved so; `help` lists what can be typed": (
        "{device} no se mueve así; `help` dice qué se puede escribir"
    ),
    """DEVICE INPUT on|off|pulse   an input, counted from 0
DEVICE CARD As              a card passes a reader
DEVICE COIN 3               a token falls in
DEVICE KEYS 1 2 enter       keys of a key pad""": """EQUIPO ENTRADA on|off|pulse   una entrada, contada desde 0
EQUIPO CARD As                una carta pasa por un lector
EQUIPO COIN 3                 cae una ficha
EQUIPO KEYS 1 2 enter         teclas de un teclado""",
}
_RECORDS = {
    "give five to seven cards, or --lines": "dé de cinco a siete cartas, o --lines",
    "{at} is no card": "{at} no es una carta",
    "{at} is there twice": "{at} está dos veces",
    "a hand has five to seven cards, not {at}": "una mano tiene de cinco a siete cartas, no {at}",
    "line {line}: ": "renglón {line}: ",
    "the amount is too large": "el importe es demasiado grande",
    "it goes only with `linked`": "va solo con `linked`",
    "the bet is larger than the stack": "la apuesta es mayor que las fichas",
    "the bet has a wrong amount": "el importe de la apuesta no es el que corresponde",
    "a box that folded does not play on": "una casilla que se retiró no sigue jugando",
    "the card is not in the hand": "la carta no está en la mano",
    "cards are missing": "faltan cartas",
    "a decision is missing": "falta una decisión",
    "the card is there twice": "la carta está dos veces",
    "the key is there twice": "la clave está dos veces",
    "the seat is there twice": "la casilla está dos veces",
    "the table is there twice": "la mesa está dos veces",
    "the hand is over already": "la mano ya terminó",
    "`linked` is there twice": "`linked` está dos veces",
    "`meter` and `linked` do not go together": "`meter` y `linked` no van juntos",
    "the big blind is not left of the small one": "la ciega grande no está a la izquierda de la chica",
    "`reserve` and `linked` do not go together": "`reserve` y `linked` no van juntos",
    "the key is missing": "falta la clave",
    "the amount is below zero": "el importe es menor que cero",
    "a list is wanted": "se espera una lista",
    "a whole number is wanted": "se espera un número entero",
    "a whole number is wanted, without a point or an exponent": "se espera un número entero, sin coma ni exponente",
    "a text is wanted": "se espera un texto",
    "an object is wanted": "se espera un objeto",
    "this is not JSON": "no es JSON",
    "true or false is wanted": "se espera true o false",
    "this is not UTF-8": "no es UTF-8",
    "a row is `percent` or `fixed`, one of them": "una fila es `percent` o `fixed`, uno de los dos",
    "the rake is above 5 %": "la comisión pasa del 5 %",
    "the seat is not in the hand": "la casilla no está en la mano",
    "the small blind is above the big one": "la ciega chica es mayor que la grande",
    "too few players": "faltan jugadores",
    "the number is too large": "el número es demasiado grande",
    "too many players": "sobran jugadores",
    "the number is too small": "el número es demasiado chico",
    "this is no card": "no es una carta",
    "unknown game": "juego desconocido",
    "there is no such seat": "no hay tal casilla",
    "there is no such table": "no hay tal mesa",
    "unknown value": "valor desconocido",
    "wrong number of cards": "la cantidad de cartas no es la que corresponde",
    "it is the turn of another street": "le toca a otra ronda",
}
_RIGHTS = {
    "{own}; second person for {second}": "{own}; segunda persona en {second}",
    "prizes": "premios",
    "corrected hands": "manos corregidas",
    "the start value": "el valor inicial",
    "the meter": "el progresivo",
    "settings": "ajustes",
    "the carousel": "el carrusel",
    "accounts": "cuentas",
    "sees tables, hands and prizes": "ve mesas, manos y premios",
    "reads the journal": "lee el libro",
    "sees the accounts": "ve las cuentas",
    "reads the raw bytes of devices": "lee los bytes de los equipos",
    "conducts hands": "lleva las manos",
    "settles bets and sensors": "resuelve apuestas y sensores",
    "verifies and pays prizes": "verifica y paga premios",
    "corrects and voids hands": "corrige y anula manos",
    "sets the start value": "fija el valor inicial",
    "corrects the meter": "corrige el progresivo",
    "changes settings": "cambia ajustes",
    "sees to the carousel": "atiende el carrusel",
    "makes and changes accounts": "crea y cambia cuentas",
    "changes the own PIN": "cambia su PIN",
    "tells the count of the drop": "informa el recuento de fichas",
    "closes the shift": "cierra el turno",
    "approves what others ask": "aprueba lo que piden otros",
}
CONSOLE: Mapping[str, str] = {**_ENDS, **_JOURNAL, **_CAROUSEL, **_PEOPLE, **_NODE, **_DEVICES, **_RECORDS, **_RIGHTS}
"""English of a command, with its places, to Spanish."""
