"""Amounts in words, Spanish and English, as slips carry them so that nobody adds a digit."""

UNITS_ES = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
]
TENS_ES = ["-", "-", "-", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]
HUNDREDS_ES = [
    "-",
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
]
UNITS_EN = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS_EN = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES_EN = ("", " thousand", " million", " billion", " trillion")


def _below_thousand_es(number: int) -> str:
    if number == 100:
        return "cien"
    hundreds, rest = divmod(number, 100)
    words = [HUNDREDS_ES[hundreds]] if hundreds else []
    if rest and rest < 30:
        words.append(UNITS_ES[rest])
    elif rest:
        tens, units = divmod(rest, 10)
        words.append(TENS_ES[tens] + (f" y {UNITS_ES[units]}" if units else ""))
    return " ".join(words)


def _short(words: str) -> str:
    """`uno` before a noun is `un`: veintiún mil, treinta y un millones."""
    if words.endswith("veintiuno"):
        return words.removesuffix("veintiuno") + "veintiún"
    return words.removesuffix("o") if words.endswith("uno") else words


def _below_million_es(number: int) -> str:
    thousands, rest = divmod(number, 1000)
    words = []
    if thousands:
        words.append("mil" if thousands == 1 else f"{_short(_below_thousand_es(thousands))} mil")
    if rest:
        words.append(_below_thousand_es(rest))
    return " ".join(words)


def spanish(number: int) -> str:
    """A whole number up to 10^18 in Spanish (long scale: un billón is 10^12)."""
    if number == 0:
        return UNITS_ES[0]
    words = []
    for scale, one, many in ((10**12, "un billón", "billones"), (10**6, "un millón", "millones")):
        count, number = divmod(number, scale)
        if count:
            words.append(one if count == 1 else f"{_short(_below_million_es(count))} {many}")
    if number:
        words.append(_below_million_es(number))
    return " ".join(words)


def _below_thousand_en(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{UNITS_EN[hundreds]} hundred"] if hundreds else []
    if rest and rest < 20:
        words.append(UNITS_EN[rest])
    elif rest:
        tens, units = divmod(rest, 10)
        words.append(TENS_EN[tens] + (f"-{UNITS_EN[units]}" if units else ""))
    return " ".join(words)


def english(number: int) -> str:
    """A whole number below 10^15 in English (short scale)."""
    if number == 0:
        return UNITS_EN[0]
    groups = []
    for scale in SCALES_EN:
        number, group = divmod(number, 1000)
        if group:
            groups.append(_below_thousand_en(group) + scale)
    return " ".join(reversed(groups))


def amount_words(minor: int, decimals: int, language: str) -> str:
    """Whole units in words, the minor ones as a fraction: `mil doscientos con 50/100`."""
    whole, rest = divmod(minor, 10**decimals)
    words = spanish(whole) if language == "es" else english(whole)
    if not decimals:
        return words
    joined = "con" if language == "es" else "and"
    return f"{words} {joined} {rest:0{decimals}d}/{10**decimals}"
