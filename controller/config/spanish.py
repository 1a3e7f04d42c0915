"""The Spanish (es-AR) of the command line: what configuration and figures say, and all the rest; English is the key."""

from collections.abc import Mapping

from controller.config.spanish_console import CONSOLE
from controller.config.spanish_devices import DEVICES
from controller.config.spanish_figures import FIGURES
from controller.config.spanish_help import HELP
from controller.config.spanish_journal import JOURNAL
from controller.config.spanish_libraries import LIBRARIES

_VALUES = {
    "missing": "falta",
    "unknown key": "clave desconocida",
    "a whole number is wanted, not {given}": "se espera un número entero, no {given}",
    "too large: {given}": "demasiado grande: {given}",
    "true or false is wanted, not {given}": "se espera true o false, no {given}",
    "text is wanted, not {given}": "se espera un texto, no {given}",
    "text of {count} character at least is wanted": "se espera un texto de {count} carácter como mínimo",
    "text of {count} characters at least is wanted": "se espera un texto de {count} caracteres como mínimo",
    "text of {count} character at most is wanted": "se espera un texto de {count} carácter como máximo",
    "text of {count} characters at most is wanted": "se espera un texto de {count} caracteres como máximo",
    "'{given}' does not fit the pattern {pattern}": "'{given}' no se ajusta al patrón {pattern}",
    "ADDRESS:PORT or unix:/PATH is wanted, not {given}": "se espera DIRECCIÓN:PUERTO o unix:/CAMINO, no {given}",
    "small letters, digits, - and _ are wanted, 32 at most, not {given}": (
        "se esperan minúsculas sin acento, cifras, - y _, 32 como máximo, no {given}"
    ),
    "at least {ge} is wanted, not {given}": "se espera {ge} como mínimo, no {given}",
    "at most {le} is wanted, not {given}": "se espera {le} como máximo, no {given}",
    "{expected} is wanted, not {given}": "se espera {expected}, no {given}",
    "a list is wanted, not {given}": "se espera una lista, no {given}",
    "a section is wanted, not {given}": "se espera una sección, no {given}",
    "{first} or {last}": "{first} o {last}",
    "a section": "una sección",
    "a list": "una lista",
    "none": "ninguno",
    "{first} to {last}": "{first} a {last}",
    "decimals of its amounts: {theirs}; of the site's currency: {ours}": (
        "decimales de sus importes: {theirs}; de la moneda del sitio: {ours}"
    ),
    "goes in a circle: {circle}": "se nombran en círculo: {circle}",
    "a preset is named without its directory and extension": "el preset se nombra sin carpeta ni extensión",
    "unknown preset '{name}'; known: {known}": "preset desconocido '{name}'; se conocen: {known}",
    "not a regular file": "no es un archivo común",
    "not TOML: {problem}": "no es TOML: {problem}",
    "not UTF-8: {problem} at byte {start}": "no es UTF-8: {problem} en el byte {start}",
    "unknown game '{game}'; known: {known}": "juego desconocido '{game}'; se conocen: {known}",
    "the preset is for {theirs}, not for {ours}": "el preset es de {theirs}, no de {ours}",
}
_NODE = {
    "unknown time zone '{time_zone}'": "zona horaria desconocida '{time_zone}'",
    "no table and no carousel to host: nothing to run": "ni mesas ni carrusel propio: no hay nada que hacer",
    "{listen} is reachable from outside this machine": "{listen} se alcanza desde fuera de esta máquina",
    "the api already listens on {listen}": "la api ya escucha en {listen}",
    "port {port} is above 65535": "el puerto {port} supera 65535",
    "the embedded broker is for the demo, on loopback only": "el broker incluido es para la demo, solo en loopback",
    "the link to {host} is not encrypted": "el enlace con {host} no está cifrado",
    "certificate and key come together": "certificate y key van juntos",
    "cannot be used: {why}": "no se puede usar: {why}",
    "password_file needs a username": "password_file necesita un username",
    "webhook and secret_file come together": "webhook y secret_file van juntos",
    "there is no [mqtt] section": "falta la sección [mqtt]",
    "there is no database that could have a replica": "no hay base de datos que pueda tener réplica",
    "the posts to {webhook} are not encrypted": "los envíos a {webhook} no van cifrados",
    "'{name}' is already the id of a {owner}": "'{name}' ya es el id de {owner}",
    "table": "una mesa",
    "carousel": "un carrusel",
    "terms {terms} are not among approved_terms": "los términos {terms} no están en approved_terms",
    "unknown carousel '{carousel}'; known: {names}": "carrusel desconocido '{carousel}'; se conocen: {names}",
    "linked to other nodes, but there is no [mqtt] section": "enlazado con otros nodos, pero falta la sección [mqtt]",
    "none: whoever the broker lets write may speak as the host": (
        "ninguna: puede hablar como anfitrión quien el broker deje escribir"
    ),
    "no table of this node is linked to it": "ninguna mesa de este nodo está enlazada a él",
    "no table is linked to it and none is accepted": "ninguna mesa está enlazada a él ni se acepta ninguna",
    "{path} can be read or changed by others: chmod 640 it": "otros pueden leer o cambiar {path}: póngale chmod 640",
    "its password stands in a file that others can read or change: chmod 640 {path}": (
        "su contraseña está en un archivo que otros pueden leer o cambiar: póngale chmod 640 a {path}"
    ),
    "only the host lets tables in": "solo el anfitrión admite mesas",
    "'{table_id}' is no table that this host lets in": "'{table_id}' no es una mesa que este anfitrión acepte",
    "none for {tables}: a host that takes over without a ledger trusts the broker": (
        "falta la de {tables}: un anfitrión que toma el mando sin libro le cree al broker"
    ),
    "'{table_id}' is a table of this node": "'{table_id}' es una mesa de este nodo",
    "'{table_id}' stands there already": "'{table_id}' ya figura",
    "below {start}, what its tables start with": "inferior a {start}, con lo que empiezan sus mesas",
    "{theirs}, but the site's tables play in {ours}": "{theirs}, pero las mesas del sitio juegan en {ours}",
    "'{carousel}', but this journal is of another carousel: put that one back, or begin a new journal for the table": (
        "'{carousel}', pero este libro es de otro carrusel: vuelva a poner aquel, o empiece un libro nuevo para la mesa"
    ),
    "{ours}, but the amounts of this journal have {theirs}: another minor unit begins with journals of its own": (
        "{ours}, pero los importes de este libro tienen {theirs}: con otra unidad menor empiezan libros propios"
    ),
    "{ours}, but the money of this journal is {theirs}: another currency begins with journals of its own": (
        "{ours}, pero el dinero de este libro es {theirs}: otra moneda empieza con libros propios"
    ),
    "{theirs}, but the site's currency has {ours}": "{theirs}, pero la moneda del sitio tiene {ours}",
    "other hands or percentages than '{table}' in the same carousel": (
        "otras manos u otros porcentajes que '{table}' en el mismo carrusel"
    ),
    "unequal odds in the same carousel: 1 in {ours} here, 1 in {theirs} at '{table}'": (
        "probabilidades distintas en el mismo carrusel: 1 en {ours} aquí, 1 en {theirs} en '{table}'"
    ),
    "another bet than at '{table}' for the same prize": "otra apuesta que en '{table}' por el mismo premio",
}
_HARDWARE = {
    "unknown driver '{driver}'; known: {known}": "driver desconocido '{driver}'; se conocen: {known}",
    "device '{name}' is already there, at {owner}": "el dispositivo '{name}' ya existe, en {owner}",
    "{port} is shared with '{name}', which has other settings": (
        "{port} se comparte con '{name}', que tiene otros ajustes"
    ),
    "{port} is already taken by '{name}'": "{port} ya está tomado por '{name}'",
    "{address} on {port} is already '{name}'": "{address} en {port} ya es '{name}'",
    "unknown device '{name}'; known here: {known}": "dispositivo desconocido '{name}'; aquí se conocen: {known}",
    "unknown device '{name}'; none is configured here": "dispositivo desconocido '{name}'; aquí no hay ninguno",
    "input {input} of '{device}' has a meaning already": "la entrada {input} de '{device}' ya tiene un significado",
    "key {key} is on two inputs of '{device}'": "la tecla {key} está en dos entradas de '{device}'",
    "'{device}' has {count}, numbered from 0; {channel} is none": (
        "'{device}' tiene {count}, numeradas desde 0; {channel} no es ninguna"
    ),
    "output {output} of '{device}' is driven twice": "la salida {output} de '{device}' se maneja dos veces",
    "label '{label}' of '{device}' is driven twice": "la etiqueta '{label}' de '{device}' se maneja dos veces",
    "'{device}' is claimed twice": "'{device}' se usa dos veces",
    "'{device}' is claimed by inputs too": "'{device}' también se usa en entradas",
    "nothing uses device '{name}'": "nada usa el dispositivo '{name}'",
    "no key closes the bets (no va más): it is done on the panel": (
        "ninguna tecla cierra las apuestas (no va más): se hace desde el panel"
    ),
    "no screen and no sign: players cannot see what they play for (art. 53)": (
        "ni pantalla ni cartel: los jugadores no ven por qué juegan (art. 53)"
    ),
    "give unit or address, not both": "unit o address, no los dos",
    "unknown key '{key}'; known: {known}": "tecla desconocida '{key}'; se conocen: {known}",
    'means = "key" and key go together': 'means = "key" y key van juntos',
    'means = "{means}" needs a seat': 'means = "{means}" necesita un seat',
    "key {key} belongs to no seat": "la tecla {key} no es de ninguna casilla",
    "a lamp has a seat, attention has none": "una lámpara tiene casilla; attention, no",
}
_TABLE = {
    "below the minimum of {minimum}": "inferior al mínimo de {minimum}",
    "missing: Oasis pays the second bet by this table (art. 10)": (
        "falta: Oasis paga la segunda apuesta con esta tabla (art. 10)"
    ),
    "missing: blinds, buy-in and rake of the circle game": "falta: ciegas, compra y rake del juego de círculo",
    "{game} has no such terms": "{game} no tiene tales términos",
    "{game} has {lowest} to {highest} seats, not {seats}": "{game} tiene de {lowest} a {highest} casillas, no {seats}",
    "the table has {count} seat": "la mesa tiene {count} casilla",
    "the table has {count} seats": "la mesa tiene {count} casillas",
    "two decks used in turn: the second is missing (art. 10, 24)": (
        "dos mazos alternados: falta el segundo (art. 10, 24)"
    ),
    "decks used in turn differ in back colour (art. 10)": (
        "los mazos alternados difieren en el color del dorso (art. 10)"
    ),
    "deck '{deck}' is there already": "el mazo '{deck}' ya figura",
    "{rake_bp} bp: the house keeps 500 bp, 5 %, at most (art. C 5)": (
        "{rake_bp} pb: la casa retiene 500 pb, 5 %, como máximo (art. C 5)"
    ),
    "a game lasts an hour at least (art. C 14)": "una partida dura una hora como mínimo (art. C 14)",
    "a player has 60 seconds to act at most (art. C 50)": "un jugador tiene como máximo 60 segundos (art. C 50)",
    "ten more seconds are counted aloud (art. C 50)": "se cuentan a viva voz diez segundos más (art. C 50)",
    "above the big blind of {big}": "superior a la ciega grande de {big}",
    "below one big blind of {big}": "inferior a una ciega grande de {big}",
    "below the minimum buy-in of {minimum}": "inferior a la compra mínima de {minimum}",
    "the small blind of {small} is no multiple of it": "la ciega chica de {small} no es múltiplo de ella",
    "the table has no jackpot to bet credits on": "la mesa no tiene jackpot al que apostar créditos",
    "a box may bet {count} credit at most (art. 49)": "una casilla apuesta {count} crédito como máximo (art. 49)",
    "a box may bet {count} credits at most (art. 49)": "una casilla apuesta {count} créditos como máximo (art. 49)",
    "outside the table's limits of {minimum} to {maximum} (art. 22-23)": (
        "fuera de los límites de la mesa, de {minimum} a {maximum} (art. 22-23)"
    ),
    "no credit input at seat {seats}: entered by hand there": (
        "sin entrada de créditos en la casilla {seats}: allí, a mano"
    ),
    'cards_read = "none" and readers: say "deal" or "showdown"': (
        'cards_read = "none" con lectores: "deal" o "showdown"'
    ),
    '"{cards_read}" needs a reader': '"{cards_read}" necesita un lector',
    '"sensor", but no ante input at seat {seats}': '"sensor", pero falta la entrada de ante en la casilla {seats}',
    'only jackpot bets win draws (art. 61): draws alone take kind = "fixed" without prizes': (
        'solo las apuestas de jackpot ganan sorteos (art. 61): con sorteos solos, kind = "fixed" sin premios'
    ),
    "figures count a draw in every hand: say about_every": "las cifras suponen un sorteo por mano: indicar about_every",
    'only with every = "key"': 'solo con every = "key"',
}
_JACKPOT = {
    "the table is linked to '{carousel}' and needs a jackpot": (
        "la mesa está enlazada a '{carousel}' y necesita un jackpot"
    ),
    "missing, and no draw either: nothing to win (art. 53)": "falta, y tampoco hay sorteos: no hay qué ganar (art. 53)",
    "progressive, but no row pays a percentage of the meter": (
        "progresivo, pero ninguna fila paga un porcentaje del pozo"
    ),
    "a fixed jackpot has no meter to take a percentage of": "un jackpot fijo no tiene pozo del que tomar un porcentaje",
    "fixed: nothing to link to carousel '{carousel}'": "fijo: nada que enlazar al carrusel '{carousel}'",
    "a fixed jackpot has no meter": "un jackpot fijo no tiene pozo",
    "hold'em boxes get two cards: best_of_seven or hole_and_flop": (
        "en hold'em se reparten dos cartas: best_of_seven o hole_and_flop"
    ),
    "Oasis: the box's first five cards count (art. 51)": (
        "Oasis: valen las cinco primeras cartas de la casilla (art. 51)"
    ),
    "contribution, reserve and draw pools take {parts} bp of 10000": (
        "aporte, reserva y pozos de sorteos toman {parts} pb de 10000"
    ),
    "a progressive meter grows by a share of each bet (art. 57)": (
        "un pozo progresivo crece con una parte de cada apuesta (art. 57)"
    ),
    "big blind": "ciega grande",
    "table minimum": "mínimo de la mesa",
    "one credit of {credit} is above the {name} of {minimum} (art. 49)": (
        "un crédito de {credit} supera ({name}) {minimum} (art. 49)"
    ),
    "{credits} credits are above the {name} of {minimum}: at most {most} will be taken (art. 49)": (
        "{credits} créditos superan ({name}) {minimum}: se tomarán {most} como máximo (art. 49)"
    ),
    "{start} is below {bets} × the lowest jackpot bet of {lowest}: at least {bound} (art. 57)": (
        "{start} es menos que {bets} × la apuesta mínima de jackpot de {lowest}: al menos {bound} (art. 57)"
    ),
    "{start} is below the highest fixed prize of {highest}": "{start} es menos que el mayor premio fijo de {highest}",
    "{start} is above {most}, the bound in small blinds": "{start} supera {most}, el límite en ciegas chicas",
    "more than a carousel's ledger takes": "más de lo que admite el libro de un carrusel",
    "below the start value of {start}": "inferior al valor inicial de {start}",
    "the expected trigger value is {trigger}, above the ceiling": (
        "el valor esperado al caer es {trigger}, sobre el techo"
    ),
    "odds of {odds} to 1 are longer than {longest} to 1": "una probabilidad de 1 en {odds} es menor que 1 en {longest}",
    "in the long run {total} of {credits} comes back; accept_return_over_100 = true accepts it": (
        "a la larga vuelve {total} de {credits}; accept_return_over_100 = true lo acepta"
    ),
    "in the long run {total} of a bet comes back": "a la larga vuelve {total} de una apuesta",
    "{total} of a bet of {credits} is returned, at least {bound} is wanted": (
        "vuelve {total} de una apuesta de {credits}, se pide {bound} como mínimo"
    ),
    "with {span} and the meter at its start value it pays less than {weaker}: {low} against {high}": (
        "con {span} y el pozo en su valor inicial paga menos que {weaker}: {low} contra {high}"
    ),
    "with {span} it pays less than {weaker}: {low} against {high}": (
        "con {span} paga menos que {weaker}: {low} contra {high}"
    ),
    "a row is a percent or a fixed sum, one of them": "una fila es percent o fixed, uno de los dos",
    "percentages are never multiplied by credits (reading O-e)": (
        "los porcentajes nunca se multiplican por créditos (lectura O-e)"
    ),
    'draw_prizes_from = "pool" and a pool_bp above 0 go together': (
        'draw_prizes_from = "pool" y un pool_bp mayor que 0 van juntos'
    ),
    "a pool without a draw would never be paid": "un pozo sin sorteo no se pagaría nunca",
}
_CONFIGURATION = {**_VALUES, **_NODE, **_HARDWARE, **_TABLE, **_JACKPOT, **FIGURES}
SPANISH: Mapping[str, str] = {**_CONFIGURATION, **CONSOLE, **DEVICES, **HELP, **JOURNAL, **LIBRARIES}
"""Every text that the command line says: English, with its places, to Spanish."""
