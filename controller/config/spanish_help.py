"""The Spanish (es-AR) of the command line's help and of its frames; the English text is the key."""

from collections.abc import Mapping

_COMMANDS = {
    "Controller of progressive jackpots and table hardware for casino poker tables.": (
        "Controlador de jackpots progresivos y del equipo de mesas de póker de casino."
    ),
    "Run the tables and carousel hosts that a configuration names, until SIGTERM or Ctrl-C.": (
        "Hace andar las mesas y los anfitriones de carrusel que nombra una configuración, hasta SIGTERM o Ctrl-C."
    ),
    "Three tables and their carousel, dealt by simulated dealers; prints where to look.": (
        "Tres mesas y su carrusel, con croupiers simulados; imprime dónde mirar."
    ),
    "Load a configuration, name every fault with its key and line, print what it would run by.": (
        "Lee una configuración, nombra cada falla con su clave y su renglón, e imprime por qué reglas andaría."
    ),
    "Write a printable page for each table; what people changed at a table is on its panel.\n\n"
    "--json prints what the pages say and writes none.": (
        "Escribe una página para imprimir por cada mesa; lo que se cambió en la mesa está en su "
        "panel.\n\n--json imprime lo que dicen las páginas y no escribe ninguna."
    ),
    "Settle recorded hands without hardware: base bets, jackpot, draws, meter. Amounts in minor units.\n\n"
    "Exit code 0; 1 when a hand cannot be; 2 when a record has the wrong form or the file cannot be read.": (
        "Liquida manos registradas, sin equipo: apuestas, jackpot, sorteos, progresivo. Importes en centavos.\n\n"
        "Código de salida 0; 1 si una mano no puede ser; 2 si un registro está mal formado o no se puede leer."
    ),
    "Category, best five and strength (1 to 7,462; higher wins, equal ties) of five to seven cards.\n\n"
    "Exit code 2 when they are no hand, 1 when a line of --lines is none; --json names the fault and its place.": (
        "Categoría, mejores cinco y fuerza (1 a 7.462; gana la mayor, la igual empata) de cinco a siete cartas.\n\n"
        "Código de salida 2 si no son una mano, 1 si no lo es un renglón de --lines; --json nombra la falla y su lugar."
    ),
    "Exact counts by combinatorics, return per bet at a meter and in the long run, break-even, mean hands to a hit.": (
        "Cuentas exactas por combinatoria, retorno por apuesta con un progresivo y a la larga, equilibrio, manos "
        "promedio hasta un acierto."
    ),
    "Verify, show, export, back up and restore a journal, in use or not.": (
        "Verifica, muestra, exporta, respalda y restaura un libro, esté en uso o no."
    ),
    "Check every entry from the first to the last; exits 1 and names the first bad seq when one does not hold."
    "\n\nAn export is checked as its own verifier does: chain, balance and checkpoints, but no equations.": (
        "Revisa cada asiento del primero al último; sale con 1 y nombra el primero malo si alguno no se sostiene."
        "\n\nUna exportación se revisa como con su propio verificador: cadena, saldos y puntos de control, nada más."
    ),
    "Print entries, oldest first; with --json one JSON object per line.": (
        "Imprime asientos, del más viejo al más nuevo; con --json, un objeto JSON por renglón."
    ),
    "Write everything to one file of JSON lines, with a verifier beside it that needs nothing but Python.": (
        "Escribe todo en un archivo de renglones JSON, con un verificador al lado que no pide más que Python."
    ),
    "Write a consistent copy to a new file, and verify the copy.": (
        "Escribe una copia coherente en un archivo nuevo, y verifica la copia."
    ),
    "Make a new journal from a backup that holds, as a new incarnation: the old one is never continued.": (
        "Hace un libro nuevo de un respaldo que se sostiene, como encarnación nueva: la vieja nunca se continúa."
    ),
    "The draws of Carta Mágica and Jugador Afortunado.": "Los sorteos de Carta Mágica y Jugador Afortunado.",
    "Recompute every draw from its seed and list; exit 1 names what does not hold.\n\n"
    "The chain of entries is not checked: `carrusel journal verify` does that.": (
        "Calcula otra vez cada sorteo de su semilla y su lista; sale con 1 y nombra lo que no se sostiene.\n\n"
        "La cadena de asientos no se revisa: eso hace `carrusel journal verify`."
    ),
    "Serial devices: what there is, what it says, what bytes mean.": (
        "Equipos serie: cuáles hay, qué dicen, qué significan los bytes."
    ),
    "Serial ports of this machine, by the names that survive re-plugging.": (
        "Puertos serie de este equipo, por los nombres que no cambian al desenchufar."
    ),
    "Every event of the configured devices as it comes, decoded; Ctrl-C ends.": (
        "Cada aviso de los equipos configurados cuando llega, descifrado; Ctrl-C termina."
    ),
    "Lamp test: each configured output on, one after the other; look at the table. Between hands only.": (
        "Prueba de lámparas: cada salida configurada se enciende, una tras otra; mire la mesa. Solo entre manos."
    ),
    "Answer as the configured devices do, at their ports, to try a configuration without hardware; Ctrl-C ends.\n\n"
    "Standard input moves them: `DEVICE INPUT on|off|pulse` (inputs count from 0, as in the file), "
    "`DEVICE CARD As` (a\nreader), `DEVICE COIN 3`, `DEVICE KEYS 1 2 enter`; `help` lists them.": (
        "Contesta como los equipos configurados, en sus puertos, para probar una configuración sin equipo; Ctrl-C "
        "termina.\n\n"
        "La entrada estándar los mueve: `EQUIPO ENTRADA on|off|pulse` (las entradas se cuentan desde 0, como en el "
        "archivo), `EQUIPO CARD As` (un lector), `EQUIPO COIN 3`, `EQUIPO KEYS 1 2 enter`; `help` los enumera."
    ),
    "Explain a captured byte stream, frame by frame, with noise and bad checksums named.": (
        "Explica bytes capturados, trama por trama, y nombra el ruido y las sumas que no dan."
    ),
    "The carousel link: what a host's journal says, and taking over.": (
        "El enlace del carrusel: qué dice el libro de un anfitrión, y cómo tomar el mando."
    ),
    "Who serves, how far the ledger goes, the amount and the equation; exits 1 when the equation does not hold.": (
        "Quién sirve, hasta dónde llega el libro, el importe y la ecuación; sale con 1 si la ecuación no se sostiene."
    ),
    "The tables of the ledger's roster with their standing, balance, incarnation and their node's public key.": (
        "Las mesas de la nómina del libro, con su situación, su saldo, su encarnación y la clave pública de su equipo."
    ),
    "Make this host take over: from its next start on it asks every table for its ledger, then serves.": (
        "Hace que este anfitrión tome el mando: desde su próximo arranque pide el libro a cada mesa, y después sirve."
    ),
    "Print the table's line of its carousel's roster, as JSON, for the node of the host; no secret is in it.\n\n"
    "The same in words goes to the error stream: what the two people at the host are shown before they sign.": (
        "Imprime el renglón de la mesa en la nómina de su carrusel, como JSON, para el anfitrión; no lleva secretos."
        "\n\n"
        "Lo mismo en palabras va a la salida de errores: lo que se muestra a las dos personas en el anfitrión antes de "
        "firmar."
    ),
    "Let a table of another node in, or the new incarnation of one (also of this node) whose old one is sealed.\n\n"
    "What is signed is shown before the PINs are asked for, on the error stream.": (
        "Deja entrar una mesa de otro equipo, o la encarnación nueva de una (también de este) cuya vieja está cerrada."
        "\n\n"
        "Lo que se firma se muestra antes de pedir los PIN, en la salida de errores."
    ),
    "Give this node another key: the old one is forgotten, and each host accepts the new one by two people.\n\n"
    "A carousel that this node hosts is promoted under the new key by the same act: a host's authority is its key's.": (
        "Da otra clave a este equipo: la vieja se olvida, y cada anfitrión acepta la nueva con dos personas.\n\n"
        "Un carrusel que este equipo sirve toma el mando con la clave nueva en el mismo acto: la autoridad de un "
        "anfitrión es la de su clave."
    ),
    "Print an acl_file for Mosquitto. A table of another node is the user of its own id, unless --node says more.": (
        "Imprime un acl_file para Mosquitto. Una mesa de otro equipo es el usuario de su propio id, salvo lo que diga "
        "--node."
    ),
    "Personal accounts of a node; while its daemon runs, use the panel.": (
        "Cuentas personales de un equipo; mientras su servicio anda, use el panel."
    ),
    "Add an account; its PIN (six digits or more, or a password) is asked twice, and changed at the first login.": (
        "Agrega una cuenta; su PIN (seis dígitos o más, o una contraseña) se pide dos veces, y se cambia al entrar por "
        "primera vez."
    ),
    "Set a new PIN; the account's sessions end. Its owner changes at the first login what somebody else has set.": (
        "Pone un PIN nuevo; las sesiones de la cuenta terminan. El dueño cambia al entrar lo que puso otra persona."
    ),
    "By its owner, who types the present PIN first; else it is good for one login.": (
        "Por su dueño, que escribe primero el PIN actual; si no, sirve para entrar una vez."
    ),
    "Shut an account; opening it again takes two people at the panel.": (
        "Cierra una cuenta; abrirla otra vez toma dos personas en el panel."
    ),
    "All accounts with their roles.": "Todas las cuentas con su función.",
}
_OPTIONS = {
    "A JSON file with a checkpoint kept elsewhere (repeatable); shows a cut tail.": (
        "Un archivo JSON con un punto de control guardado en otro lado (se repite); muestra un final cortado."
    ),
    "A file written by `carrusel journal export`.": "Un archivo escrito por `carrusel journal export`.",
    "A hand record, or a list of them; - reads standard input.": (
        "El registro de una mano, o una lista; - lee la entrada estándar."
    ),
    "A journal file, or the URL of a database.": "El archivo de un libro, o el URL de una base de datos.",
    "A preset's name, or a preset file of your own.": "El nombre de un preset, o un archivo de preset propio.",
    "A user that only hears host, meter and ledger, as boards do.": (
        "Un usuario que solo oye anfitrión, progresivo y libro, como los carteles."
    ),
    "Also the tables enrolled in the host's ledger, and none that left; it must have run.": (
        "También las mesas inscriptas en el libro del anfitrión, y ninguna que se fue; tiene que haber funcionado."
    ),
    "Captured bytes: 01 02 …": "Bytes capturados: 01 02 …",
    "Credits of each simulated bet.": "Créditos de cada apuesta simulada.",
    "Each line of standard input: hex, or a JSON row.": "Cada renglón de la entrada estándar: hexadecimal, o JSON.",
    "End by itself after so long.": "Termina solo después de tantos segundos.",
    "End by itself after so long; else Ctrl-C.": "Termina solo después de tantos segundos; si no, Ctrl-C.",
    "Every table's ledger is lost: this host's own may win unasked.": (
        "El libro de todas las mesas se perdió: el de este anfitrión puede ganar sin preguntar."
    ),
    "Five to seven cards: As Kd Th 2c 2s; with --lines a file, - for standard input.": (
        "De cinco a siete cartas: As Kd Th 2c 2s; con --lines un archivo, - para la entrada estándar."
    ),
    "From this seq on.": "Desde este asiento.",
    "From this time on (2026-05-01T20:00, UTC).": "Desde este momento (2026-05-01T20:00, UTC).",
    "Id of a carousel that this node hosts.": "Id de un carrusel que este equipo sirve.",
    "Id of a table of this node.": "Id de una mesa de este equipo.",
    "Id of the carousel (of the table, where it plays for itself).": ("Id del carrusel (de la mesa, si juega sola)."),
    "JSON without line breaks (answers are always JSON).": "JSON en un solo renglón (la respuesta siempre es JSON).",
    "Keep the journals here as NAME.db.": "Guarda los libros acá, como NOMBRE.db.",
    "Login of the first person; both are asked for their PIN.": (
        "Cuenta de la primera persona; a las dos se les pide el PIN."
    ),
    "Login of the second person.": "Cuenta de la segunda persona.",
    "Login: small letters, digits, dot, dash, underscore.": "Cuenta: minúsculas, dígitos, punto, guion, guion bajo.",
    "Look at every five-card hand too.": "Mira también cada mano de cinco cartas.",
    "Meter in minor units; its start value unless given.": "Progresivo en centavos; su valor inicial si no se da.",
    "es or en, of the texts and of the picture, whatever the environment speaks.": (
        "es o en, de los textos y del dibujo, hable lo que hable el equipo."
    ),
    "One hand in each line of a file or, without one, of standard input.": (
        "Una mano en cada renglón de un archivo o, sin él, de la entrada estándar."
    ),
    "One record in each line, one answer out for each.": "Un registro en cada renglón, una respuesta por cada uno.",
    "Only checkpoints of this public key (hex) count; there must be some.": (
        "Solo valen los puntos de control de esta clave pública (hex); tiene que haber alguno."
    ),
    "Only entries of this actor.": "Solo asientos de esta persona.",
    "Only entries of this hand.": "Solo asientos de esta mano.",
    "Only entries of this table.": "Solo asientos de esta mesa.",
    "Only entries that move this account.": "Solo asientos que mueven esta cuenta.",
    "Only kinds that begin so.": "Solo las clases que empiezan así.",
    "Only this table.": "Solo esta mesa.",
    "Directory for the pages.": "Carpeta de las páginas.",
    "Language of the pages, es or en; the site's own unless given.": (
        "Idioma de las páginas, es o en; el del sitio si no se da."
    ),
    "Play so many hands of one box.": "Juega tantas manos de una casilla.",
    "Print JSON.": "Imprime JSON.",
    "Print one JSON object.": "Imprime un objeto JSON.",
    "Print the version.": "Imprime la versión.",
    "State directory instead of the file's, as the demo's (`demo --state`).": (
        "Carpeta de estado en vez de la del archivo, como la de la demostración (`demo --state`)."
    ),
    "State directory of the daemon that may hold it (default: the file's).": (
        "Carpeta de estado del servicio que puede tenerlo (si no se da, la del archivo)."
    ),
    "The TOML file of a node that hosts a carousel.": "El archivo TOML de un equipo que sirve un carrusel.",
    "The host's user; absent: mqtt.username, or `host`.": "El usuario del anfitrión; si no: mqtt.username, o `host`.",
    "The person's name, as slips and the journal show it.": (
        "El nombre de la persona, como lo muestran comprobantes y libro."
    ),
    "The same seed plays the same hands.": "La misma semilla juega las mismas manos.",
    "The site's TOML file; each port is a path that is not there yet.": (
        "El archivo TOML del sitio; cada puerto es un camino donde todavía no hay nada."
    ),
    "The site's TOML file.": "El archivo TOML del sitio.",
    "The site's TOML file; its daemon must not be running.": (
        "El archivo TOML del sitio; su servicio no debe estar andando."
    ),
    "The site's TOML file; its daemon may be running.": "El archivo TOML del sitio; su servicio puede estar andando.",
    "USER=TABLE,TABLE: tables of another node that share its user on the broker.": (
        "USUARIO=MESA,MESA: mesas de otro equipo que comparten su usuario en el broker."
    ),
    "Up to this seq.": "Hasta este asiento.",
    "Up to this time.": "Hasta este momento.",
    "What `profile` printed at the table's node.": "Lo que imprimió `profile` en el equipo de la mesa.",
    "What the badge reader sends.": "Lo que manda el lector de credenciales.",
    "Which journal, where a database holds several.": "Qué libro, si una base de datos tiene varios.",
    "Why the key is changed.": "Por qué se cambia la clave.",
    "Why the table is let in.": "Por qué entra la mesa.",
    "Why this host takes over.": "Por qué toma el mando este anfitrión.",
    "Nobody looks on: prizes that take two people are paid too.": (
        "Nadie mira: se pagan también los premios que llevan dos personas."
    ),
    "Write a summary to this file.": "Escribe un resumen en este archivo.",
    "Write the simulated path as an SVG picture.": "Escribe el camino simulado como dibujo SVG.",
    "es or en, whatever environment and site speak.": "es o en, hable lo que hable el equipo o el sitio.",
    "es or en; the site's when left out.": "es o en; el del sitio si no se da.",
    "host_to_device, device_to_host or received_line": "host_to_device, device_to_host o received_line",
    "modbus_rtu, dcon, cctalk, alpha, stx, line or sas": "modbus_rtu, dcon, cctalk, alpha, stx, line o sas",
    "oasis, holdem-bonus or holdem-circle.": "oasis, holdem-bonus o holdem-circle.",
    "pit_boss, technician, auditor or admin.": "pit_boss, technician, auditor o admin.",
}
_FRAMES = {
    "Usage: ": "Uso: ",
    "[OPTIONS]": "[OPCIONES]",
    "COMMAND [ARGS]...": "COMANDO [ARGUMENTOS]...",
    "Arguments": "Argumentos",
    "Options": "Opciones",
    "Commands": "Comandos",
    "[required]": "[obligatorio]",
    "[default: {}]": "[si no se da: {}]",
    "Show this message and exit.": "Muestra este texto y sale.",
    "<text>": "<texto>",
    "<number>": "<número>",
    "<file>": "<archivo>",
    "<folder>": "<carpeta>",
    "BACKUP": "RESPALDO",
    "CARDS": "CARTAS",
    "CAROUSEL": "CARRUSEL",
    "EXPORT": "EXPORTACIÓN",
    "FILE": "ARCHIVO",
    "GAME": "JUEGO",
    "JOURNAL": "LIBRO",
    "LOGIN": "CUENTA",
    "PROTOCOL": "PROTOCOLO",
    "TABLE": "MESA",
}
HELP: Mapping[str, str] = {**_COMMANDS, **_OPTIONS, **_FRAMES}
"""English help text to its Spanish."""
