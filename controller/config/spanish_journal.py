"""The Spanish (es-AR) of what journals, ledgers and the rooms below say when something is wrong with them."""

from collections.abc import Mapping

_OPENING = {
    "the state directory {path} cannot be used: {why}": "no se puede usar la carpeta de estado {path}: {why}",
    "{path} is a folder, not a journal": "{path} es una carpeta, no un libro",
    "{path} is not a regular file": "{path} no es un archivo común",
    "{path} is an export, not the journal or a backup of it": (
        "{path} es una exportación, no el libro ni un respaldo suyo"
    ),
    "{path}: a journal, not its export; `carrusel journal export` writes one": (
        "{path}: es un libro, no su exportación; la escribe `carrusel journal export`"
    ),
    "{path}: not UTF-8": "{path}: no es UTF-8",
    "no journal at {path}": "no hay un libro en {path}",
    "no directory {path}": "no hay una carpeta {path}",
    "no journal {name} in this database": "no hay un libro {name} en esta base de datos",
    "there is no journal in {path}": "no hay ningún libro en {path}",
    "there is no journal in this database": "no hay ningún libro en esta base de datos",
    "there is none": "no hay ninguno",
    "there is a journal {name} already": "ya hay un libro {name}",
    "name one of the journals in this database: {names}": "nombre uno de los libros de esta base de datos: {names}",
    "{path} is in use by another process": "otro proceso está usando {path}",
    "the journal {name} is in use by another session": "otra sesión está usando el libro {name}",
    "{directory} is on a network file system ({kind} at {place}): a journal needs a local disk": (
        "{directory} está en un disco de red ({kind} en {place}): un libro necesita un disco local"
    ),
    "SQLite does not keep what a journal needs here: {found}": "acá SQLite no guarda como necesita un libro: {found}",
    "the server runs with fsync off: a commit would not be durable": (
        "el servidor anda con fsync apagado: lo escrito no quedaría en el disco"
    ),
    "the database has no synchronous replica, which state.replica requires ({why})": (
        "la base de datos no tiene una réplica sincrónica, que state.replica exige ({why})"
    ),
    "a journal on a server needs psycopg: install the extra `postgres`": (
        "un libro en un servidor necesita psycopg: instale el extra `postgres`"
    ),
    "the address of the database is none: postgresql://USER@HOST:PORT/DATABASE": (
        "la dirección de la base de datos no lo es: postgresql://USUARIO@EQUIPO:PUERTO/BASE"
    ),
    "the server cannot be reached: {why}": "no se llega al servidor de la base de datos: {why}",
    "another host has taken the journal {name} over": "otro anfitrión tomó a su cargo el libro {name}",
    "another host has taken the journal {name} over; {why}": "otro anfitrión tomó a su cargo el libro {name}; {why}",
    "synchronous_standby_names is empty: a commit would be on one machine alone": (
        "synchronous_standby_names está vacío: lo escrito quedaría en una sola máquina"
    ),
    "the journal at {place} is that of {found}, not of {name}": "el libro en {place} es de {found}, no de {name}",
    "the tables of {place} are of revision {known}, this version knows {revision}": (
        "las tablas de {place} son de la revisión {known}; esta versión conoce {revision}"
    ),
    "the journal cannot be opened: the disk is full": "no se puede abrir el libro: el disco está lleno",
    "the journal cannot be read: {why}": "no se puede leer el libro: {why}",
    "the journal is closed": "el libro está cerrado",
    "the journal could not be written ({why}): nothing of this commit counts": (
        "no se pudo escribir el libro ({why}): nada de este asiento vale"
    ),
    "the journal's thread broke: {why}": "el programa que escribe el libro se cortó: {why}",
    "the disk is full": "el disco está lleno",
    "{path} is where the verifier goes; name another file": ("{path} es el lugar del verificador; elija otro nombre"),
    "the copy could not be written: {why}": "no se pudo escribir la copia: {why}",
    "{path} exists; move it away first": "{path} ya existe; llévelo antes a otro lado",
    "{path} could not be written whole: is the disk full?": (
        "no se pudo escribir {path} entero: ¿está lleno el disco?"
    ),
    "{path} could not be written: {why}": "no se pudo escribir {path}: {why}",
    "no room for a copy of {held} bytes beside the journals in {directory}": (
        "no hay lugar para una copia de {held} bytes junto a los libros en {directory}"
    ),
    "{path} is not a node's key: put back the one that was there": (
        "{path} no es la clave de un equipo: vuelva a poner la que estaba"
    ),
    "{path} can be read by others: chmod 600 it": "otros pueden leer {path}: póngale chmod 600",
    "entry {id} is already in the journal with other content": "el asiento {id} ya está en el libro con otro contenido",
    "already in the journal: {ids}": "ya está en el libro: {ids}",
    "no daemon answers at {place} ({why})": "ningún servicio contesta en {place} ({why})",
    "this daemon has no journal {name}": "este servicio no tiene un libro {name}",
    "the daemon ended before its answer did": "el servicio se cortó antes de terminar la respuesta",
    "not a request: {why}": "no es un pedido: {why}",
}
_FINDINGS = {
    "journal damaged at {place}: {fault}: {detail}": "libro dañado en {place}: {fault}: {detail}",
    "journal damaged at {place}: {fault}": "libro dañado en {place}: {fault}",
    "the file": "el archivo",
    "seq {seq}": "asiento {seq}",
    "altered": "alterado",
    "gap": "falta un asiento",
    "swapped": "cambiado de lugar",
    "bad_chain": "cadena rota",
    "unbalanced": "no cierra",
    "bad_genesis": "comienzo no válido",
    "bad_checkpoint": "punto de control no válido",
    "other_history": "otra historia",
    "cut_tail": "final cortado",
    "equation": "una cuenta no da",
    "file_damage": "archivo dañado",
    "bad_index": "índice equivocado",
    "not_signed": "sin firma",
    "no checkpoint is of a key given": "ningún punto de control es de una clave dada",
    "{count} entries follow the last checkpoint of a key given": (
        "hay {count} asientos después del último punto de control de una clave dada"
    ),
    "unreadable": "contenido en una forma desconocida",
    "what stands in {kind} cannot be read: {why}": "no se puede leer lo que hay en {kind}: {why}",
    "{place} has no field `{name}`": "{place} no tiene un campo `{name}`",
    "{id} ({kind}): by {micros} micros": "{id} ({kind}): por {micros} micros",
    "the entry is not about {subject}": "el asiento no trata de {subject}",
    "no mention leads to this entry about {subject}": "ninguna mención lleva a este asiento sobre {subject}",
    "the index mentions seq {seq}": "el índice nombra el asiento {seq}",
    "a column holds another type": "una columna guarda otra clase de valor",
    "a row holds other types than it may: {query}": "una fila guarda otra clase de valores: {query}",
    "the next entry is {seq}": "el asiento que sigue es el {seq}",
    "the body is not JSON": "el contenido no es JSON",
    "it does not name its incarnation": "no nombra su encarnación",
    "the restore names another past": "la restauración nombra otro pasado",
    "its signature does not hold": "su firma no se sostiene",
    "its signature does not hold, and there is no such entry": "su firma no se sostiene, y no hay tal asiento",
    "signed by {key}": "firmado por {key}",
    "it is of incarnation {incarnation}": "es de la encarnación {incarnation}",
    "the checkpoint at {seq} saw another history (the last that fits is at {last})": (
        "el punto de control en el asiento {seq} vio otra historia (el último que coincide está en el {last})"
    ),
    "a checkpoint of {incarnation} saw seq {seq}": "un punto de control de {incarnation} vio el asiento {seq}",
    "the cosignature of {node} does not hold": "la firma agregada por {node} no se sostiene",
    "the cosignature of {node} at seq {seq} does not hold": (
        "la firma agregada por {node} en el asiento {seq} no se sostiene"
    ),
    "what belongs here is at seq {seq}": "lo que va acá está en el asiento {seq}",
    "the entry is not what was chained": "el asiento no es el que se encadenó",
    "the chain value is not what was written": "el valor de la cadena no es el que se escribió",
    "from here on nothing fits: inserted, removed or rewritten": (
        "desde acá nada coincide: se agregó, se quitó o se reescribió"
    ),
    "{account} stands at {micros} micros": "{account} está en {micros} micros",
    "{account}: counters say {contributed} - {reversed}, the account holds {held} micros": (
        "{account}: los contadores dicen {contributed} - {reversed}, la cuenta tiene {held} micros"
    ),
    "{account}: counters say {contributed}, the hands contributed {bets} micros": (
        "{account}: los contadores dicen {contributed}, las manos aportaron {bets} micros"
    ),
    "{account} holds {held} micros, its entries say {owed}": "{account} tiene {held} micros, sus asientos dicen {owed}",
    "journal {name}: {fault} at seq {seq} ({detail})": "libro {name}: {fault} en el asiento {seq} ({detail})",
    "journal {name}: {fault} at seq {seq}": "libro {name}: {fault} en el asiento {seq}",
}
_LEDGER = {
    "entry {id} ({kind}) is out of balance by {micros} micros": (
        "el asiento {id} ({kind}) no cierra por {micros} micros"
    ),
    "the first entry of event {event} has another id: {id}": "el primer asiento del hecho {event} tiene otro id: {id}",
    "the ledger names table {table}, which never joined": (
        "el libro del carrusel nombra la mesa {table}, que nunca entró"
    ),
    "table {table} lacks {lacks} micros, the record says {micros}": (
        "a la mesa {table} le faltan {lacks} micros; el registro dice {micros}"
    ),
    "carousel {carousel}: {came} micros came in, {went} are there or went out": (
        "carrusel {carousel}: entraron {came} micros; están o salieron {went}"
    ),
    "carousel {carousel} shows {shown} micros, its tables hold {held}": (
        "el carrusel {carousel} muestra {shown} micros; sus mesas tienen {held}"
    ),
    "carousel {carousel}: the equation does not hold: {equation}": "carrusel {carousel}: la cuenta no da: {equation}",
    "carousel {carousel}: shows {shown}, the balances are {held}": (
        "carrusel {carousel}: muestra {shown}; los saldos son {held}"
    ),
    "the pool of {draw} stands at {micros} micros": "el fondo de {draw} está en {micros} micros",
    "table {table} took back more than it contributed": "la mesa {table} devolvió más de lo que aportó",
    "record {seq} does not follow record {last} of carousel {carousel}": (
        "el registro {seq} no sigue al registro {last} del carrusel {carousel}"
    ),
    "record {seq} is of an epoch before that of record {last}": (
        "el registro {seq} es de una época anterior a la del registro {last}"
    ),
    "ledger record {seq} ({kind}) is out of balance": "el registro {seq} ({kind}) del carrusel no cierra",
    "another key for {incarnation}, which is not in force": "otra clave para {incarnation}, que no está vigente",
    "terms of table {table} for another incarnation, or for hands before the last change": (
        "términos de la mesa {table} para otra encarnación, o para manos anteriores al último cambio"
    ),
    "release of an unknown award {award}": "se suelta un premio desconocido {award}",
    "correction of unknown awards: {awards}": "se corrigen premios desconocidos: {awards}",
    "a correction leaves {tables} below zero": "una corrección deja a {tables} por debajo de cero",
    "record {seq} closes a jackpot for {table}, which nobody announced": (
        "el registro {seq} cierra un jackpot para {table}, que nadie anunció"
    ),
    "record {seq} disposes of a jackpot that is open": "el registro {seq} dispone de un jackpot que está abierto",
    "record {seq} takes more from {table} than it holds": "el registro {seq} saca de {table} más de lo que tiene",
    "table {table} joins twice": "la mesa {table} entra dos veces",
    "table {table} joins with an incarnation that has ended": "la mesa {table} entra con una encarnación terminada",
    "table {table} leaves {micros} micros behind": "la mesa {table} deja {micros} micros atrás",
    "a settlement's debits are not what the balances lost": "lo que se cobra no es lo que bajaron los saldos",
}
_NODE = {
    "cannot listen on {listen}: {why}": "no se puede escuchar en {listen}: {why}",
    "events.secret_file {path}: {count} bytes, {least} are the least": (
        "archivo de events.secret_file {path}: {count} bytes; son {least} como mínimo"
    ),
    "events.secret_file {path}: {why}": "archivo de events.secret_file {path}: {why}",
    "{name} has not started, or its work has ended": "{name} no empezó, o su trabajo terminó",
    "{name} ended before it answered: start the service again; what its journal holds of that was done, anything else"
    " was not": (
        "{name} terminó antes de contestar: inicie de nuevo el servicio; lo que de eso está en su libro se hizo, y lo"
        " demás no"
    ),
    "{name} takes nothing more: its work has ended": "{name} no recibe nada más: su trabajo terminó",
    "{path}: an entry of a draw lacks what it must hold: {why}": "{path}: a un asiento de un sorteo le falta: {why}",
    "{path}: empty": "{path}: vacío",
    "{path}: not an export of a journal": "{path}: no es la exportación de un libro",
    "{path}, line {line}: {why}": "{path}, renglón {line}: {why}",
    "nested too deeply": "anidado con demasiada profundidad",
    "the seq of a checkpoint is a whole number": "el asiento de un punto de control es un número entero",
}
JOURNAL: Mapping[str, str] = {**_OPENING, **_FINDINGS, **_LEDGER, **_NODE}
"""English of an exception or a finding, with its places, to Spanish."""
