"""The Spanish (es-AR) of what libraries and the system say to people; the English text, as they say it, is the key."""

from collections.abc import Mapping

_USAGE = {
    "Missing command.": "Falta el comando.",
    "Missing option {option}.": "Falta la opción {option}.",
    "Missing argument {argument}.": "Falta el argumento {argument}.",
    "No such command {command}.": "No hay un comando {command}.",
    "No such command {command}. Did you mean {near}?": "No hay un comando {command}. ¿Quiso decir {near}?",
    "No such option: {option}": "No hay una opción {option}",
    "No such option: {option} (Possible options: {near})": "No hay una opción {option} (parecidas: {near})",
    "Got unexpected extra argument(s) ({arguments})": "Sobran argumentos: {arguments}",
    "Option {option} requires an argument.": "La opción {option} lleva un valor.",
    "Option {option} does not take a value.": "La opción {option} no lleva valor.",
    "dir {place} is a file.": "{place} es un archivo, no una carpeta.",
    "Invalid value: {why}": "Valor no válido: {why}",
    "Invalid value for {place}: {why}": "Valor no válido para {place}: {why}",
}
_SYSTEM = {
    "Address already in use": "la dirección ya está en uso",
    "Address family not supported by protocol": "este equipo no conoce esa clase de dirección",
    "Cannot assign requested address": "este equipo no tiene esa dirección",
    "Connection refused": "conexión rechazada",
    "Connection timed out": "no contestó a tiempo",
    "Device or resource busy": "lo usa otro programa",
    "Disk quota exceeded": "se acabó la cuota de disco",
    "File exists": "ya existe",
    "File name too long": "nombre de archivo demasiado largo",
    "File too large": "archivo demasiado grande",
    "Input/output error": "error de lectura o escritura del disco",
    "Invalid argument": "argumento no válido",
    "Is a directory": "es una carpeta",
    "Network is unreachable": "la red no se alcanza",
    "No route to host": "no hay camino hasta ese equipo",
    "No space left on device": "no queda lugar en el disco",
    "No such device": "no existe ese equipo",
    "No such device or address": "no existe ese equipo o dirección",
    "No such file or directory": "no existe ese archivo o carpeta",
    "Not a directory": "no es una carpeta",
    "Operation not permitted": "operación no permitida",
    "Permission denied": "sin permiso",
    "Read-only file system": "el disco es de solo lectura",
    "Too many levels of symbolic links": "demasiados enlaces, uno tras otro",
    "Too many open files": "demasiados archivos abiertos",
    "Transport endpoint is not connected": "no hay conexión",
    "cannot be read": "no se puede leer",
}
_TOML = {
    "{problem} (at line {line}, column {column})": "{problem} (renglón {line}, columna {column})",
    "{problem} (at end of document)": "{problem} (al final del archivo)",
    "Cannot declare {key} twice": "{key} está declarada dos veces",
    "Cannot mutate immutable namespace {key}": "la sección {key} ya está cerrada",
    "Cannot overwrite a value": "esa clave ya tiene un valor",
    "Cannot redefine namespace {key}": "la sección {key} ya está definida",
    "Duplicate inline table key {key}": "la clave {key} está dos veces",
    "Escaped character is not a Unicode scalar value": "el carácter escapado no existe en Unicode",
    "Expected '=' after a key in a key/value pair": "se espera '=' después de la clave",
    "Expected ']' at the end of a table declaration": "se espera ']' al final del nombre de la sección",
    "Expected ']]' at the end of an array declaration": "se espera ']]' al final del nombre de la lista",
    "Expected newline or end of document after a statement": "se espera un renglón nuevo después del valor",
    "Expected {expected}": "se espera {expected}",
    "Found invalid character {character}": "carácter no válido {character}",
    "Illegal character {character}": "carácter no permitido {character}",
    "Invalid date or datetime": "fecha u hora no válida",
    "Invalid hex value": "valor hexadecimal no válido",
    "Invalid initial character for a key part": "una clave no puede empezar con ese carácter",
    "Invalid statement": "renglón que no se entiende",
    "Invalid value": "valor no válido",
    "Unclosed array": "falta cerrar la lista",
    "Unclosed inline table": "falta cerrar la sección",
    "Unescaped '\\' in a string": "hay una '\\' suelta en un texto",
    "Unterminated string": "falta cerrar un texto",
    "Exceeds the limit ({most} digits) for integer string conversion: value has {digits} digits; "
    "use sys.set_int_max_str_digits() to increase the limit": "número de {digits} dígitos; {most} como máximo",
}
_DATABASE = {
    "file is not a database": "el archivo no es una base de datos",
    "file is encrypted or is not a database": "el archivo no es una base de datos",
    "unable to open database file": "no se puede abrir el archivo",
    "database disk image is malformed": "el archivo de la base de datos está dañado",
    "database or disk is full": "el disco está lleno",
    "disk I/O error": "error de lectura o escritura del disco",
    "attempt to write a readonly database": "la base de datos es de solo lectura",
    "database is locked": "otro programa tiene la base de datos",
}
_JSON = {
    "{problem}: line {line} column {column} (char {char})": (
        "{problem}: renglón {line}, columna {column} (carácter {char})"
    ),
    "Expecting value": "se espera un valor",
    "Expecting property name enclosed in double quotes": "se espera una clave entre comillas",
    "Expecting ':' delimiter": "se espera ':'",
    "Expecting ',' delimiter": "se espera ','",
    "Extra data": "sobra algo",
    "Illegal trailing comma before end of object": "sobra una coma al final del objeto",
    "Illegal trailing comma before end of array": "sobra una coma al final de la lista",
    "Invalid \\escape": "secuencia no válida",
    "Invalid control character at": "carácter de control",
    "Unterminated string starting at": "falta cerrar un texto",
}
_OTHERS = {
    "{given} is not one of {choices}.": "{given} no es ninguno de estos: {choices}",
    "invalid start byte": "byte no válido",
    "invalid continuation byte": "byte no válido en medio de una letra",
    "unexpected end of data": "el archivo se corta en medio de una letra",
    "no start line": "no tiene el formato PEM",
    "key values mismatch": "la clave no es la de ese certificado",
    "no certificate or crl found": "no tiene ningún certificado",
    "bad decrypt": "la clave está cerrada con contraseña",
    "bad base64 decode": "su contenido no es base64",
    "'utf-8' codec can't decode byte {byte} in position {start}: {reason}": (
        "no es UTF-8: byte {byte} en la posición {start}: {reason}"
    ),
}
LIBRARIES: Mapping[str, str] = {**_USAGE, **_DATABASE, **_JSON, **_SYSTEM, **_TOML, **_OTHERS}
"""English of a library, with its places, to Spanish."""
