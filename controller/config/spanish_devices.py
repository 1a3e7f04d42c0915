"""The Spanish (es-AR) of what drivers say of devices and captured bytes; the English text is the key."""

from collections.abc import Mapping

_LINKS = {
    "{path} is not there": "{path} no está",
    "no permission for {path} (is the user in the group of serial ports?)": (
        "no hay permiso para {path} (¿está el usuario en el grupo de los puertos serie?)"
    ),
    "{path} is held by another program": "otro programa tiene {path}",
    "{path} does not take these line settings (data bits, parity, speed)": (
        "{path} no acepta esos valores de línea (bits, paridad, velocidad)"
    ),
    "{path} cannot be opened: {why}": "no se puede abrir {path}: {why}",
    "{path} now names another port": "{path} ahora nombra otro puerto",
    "the port did not close in time": "el puerto no se cerró a tiempo",
    "the port hung while closing": "el puerto se trabó al cerrarse",
    "unplugged, or another program reads from the same port": "desenchufado, u otro programa lee del mismo puerto",
    "unplugged ({why})": "desenchufado ({why})",
    'keypads need the extra "keypad" (evdev)': 'los teclados necesitan el agregado "keypad" (evdev)',
    "no input device {name} at {phys} ({found})": "no hay un teclado {name} en {phys} ({found})",
    "{count} input devices {name}: set phys to one of {ports}": (
        "hay {count} teclados {name}: ponga en phys uno de {ports}"
    ),
    "{path} is in use by another program ({why})": "otro programa usa {path} ({why})",
    "no valid reply to {polls} polls": "ninguna respuesta válida a {polls} consultas",
    "no valid reply for {seconds} s": "ninguna respuesta válida en {seconds} s",
}
_CAPTURES = {
    "line {line} column {column}": "renglón {line} columna {column}",
    "noise, {count} bytes": "ruido, {count} bytes",
    "damaged ({reason})": "dañada ({reason})",
    "part {number} of the bytes, '{part}': {fault}": "parte {number} de los bytes, '{part}': {fault}",
    "an odd number of digits": "una cantidad impar de dígitos",
    "'{sign}' is no hex digit": "'{sign}' no es un dígito hexadecimal",
    "direction is one of {ways}, not {given}": "direction es uno de estos: {ways}; no {given}",
    "protocol is one of {protocols}, not {given}": "el protocolo es uno de estos: {protocols}; no {given}",
    "a row needs protocol and bytes_hex as texts": "un renglón necesita protocol y bytes_hex como textos",
    "state_before needs last_counter as a number or null": "state_before necesita last_counter como número o null",
}
DEVICES: Mapping[str, str] = {**_LINKS, **_CAPTURES}
"""English of a driver, with its places, to Spanish."""
