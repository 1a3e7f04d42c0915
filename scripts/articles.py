"""Writes docs/articles.md: every article and reading of the three regulations, what we do, the tests that name it.

A test names what it holds by `@pytest.mark.article("O-59")`. O: Oasis, Argentina 2010; B: Texas Hold'em Bonus, Peru
2010; C: Texas Hold'em circle game, Argentina 2009; a letter for a number: a reading (`O-c`).
"""

from scripts.marks import ROOT, listed, shown_by

PAGE = ROOT / "docs" / "articles.md"

OASIS = {
    "1": "up to 7 boxes; a box without an ante is dealt nothing",
    "2": "the bet is exactly twice the ante, or the box folds",
    "3": "one card may be bought for the price of one ante",
    "4": "the bank never buys",
    "5": "the bank qualifies with ace-king or better",
    "6": "a jackpot bet besides the ante, where the player wants one",
    "7": "a buyer loses the progressive",
    "8": "A-2-3-4-5 is the lowest straight",
    "9": "suits are equal",
    "10": "pay table and decks are configuration",
    "11": "one box for each of up to seven players",
    "13": "jackpot bets are taken by a sensor or by the dealer's key",
    "14": "the shuffler's serial number is stored with the hand",
    "17": "no more players than boxes",
    "18": "a bet is in a box of the table, or it is none",
    "19": "order of hands",
    "20": "a tie returns the bets",
    "21": "ties are broken by the cards named, then by the rest",
    "22": "a bet outside the table's limits is refused by name",
    "23": "limits are settings",
    "24": "the deck in use is stored with the hand",
    "25": "antes and jackpot bets before no va más",
    "26": "no va más, five to each box clockwise, the bank last",
    "28": "boxes are asked clockwise from the first occupied",
    "29": "a folded box loses its ante; its five cards are counted",
    "30": "voy: a bet of exactly twice the ante",
    "31": "one card, after the bet is down",
    "32": "the price of a card is one ante",
    "33": "the card comes from the deck; its price goes to the bank",
    "34": "a buyer loses every chance at the progressive",
    "35": "a buyer is marked at once",
    "36": "a passed box buys only while no later box has",
    "37": "after the last box the rest of the deck is out of play",
    "38": "the bank plays its first five cards",
    "39": "boxes are compared with the bank after the last decision",
    "40": "the bank turns its cards up, then the boxes",
    "41": "what qualifies the bank",
    "42": "not qualified: ante 1:1 to every box still in, bet returned",
    "43": "qualified: cards are compared",
    "44": "better: ante 1:1, bet by the pay table",
    "45": "worse: everything is lost",
    "46": "the hand is closed and the next begins",
    "47": "the jackpot bet is optional",
    "48": "the prize depends on the box's cards alone",
    "49": "1 to 5 credits, never above the table's minimum, before the deal",
    "50": "a listed hand wins its prize",
    "51": "only the first five cards count",
    "52": "no jackpot bet without an ante",
    "53": "the prize list is always on the table's screen",
    "54": "fixed jackpot: rows by credits",
    "55": "fixed jackpot: royal and straight flush are not multiplied",
    "56": "progressive: percentages, and fixed rows by credits",
    "57": "start value of at least 5,000 lowest bets; a share of every bet is added",
    "58": "royals share the whole in equal parts",
    "59": "straight flush: 10 %, the highest first; equal ones 10 % of the initial amount each",
    "60": "a paid prize is recorded and the display goes down by it",
    "61": "two draws for boxes with a jackpot bet",
    "62": "Carta Mágica",
    "63": "Jugador Afortunado",
    "64": "a buyer stays in both draws",
    "65": "linked tables: the prize is the sum of their jackpots",
    "66": "the best hand counts, in whatever order the cards lie",
    "67": "exchanged information voids the hand",
    "68": "a card error in the deal voids the hand",
    "69": "an exposed extra card of the bank voids the hand",
    "70": "a box holds one ante and is paid as one player's",
    "71": "a player in several boxes sees and buys in one of them",
    "a": "a hand's share joins the meter at no va más, before any prize",
    "b": "royal and straight flush in one hand: three settings",
    "c": "equal straight flushes: 10 % of the hand's initial amount each",
    "d": "shares are floored; the odd part stays in the meter",
    "e": "percentages are never multiplied by credits, fixed rows are",
    "f": "fixed rows are paid by the house, or by the meter",
    "g": "below the start value after 10 %: it stays, or is topped up",
    "h": "after a royal: the start value or the reserve, and the remainder",
    "i": "a folded box loses its jackpot, unless the site keeps it",
    "j": "a void reverses every posting and cancels drawn prizes",
    "k": "each box's jackpot bet counts",
    "l": "a buyer takes part in both draws",
    "m": "Carta Mágica looks at the five dealt cards",
    "n": "linked tables restart at their own start values; parts in proportion",
    "o": "royals at two tables: order of registration",
    "p": "positions that can be drawn: three settings",
    "q": "a folded box keeps Jugador Afortunado; Carta Mágica only if its card is shown",
    "r": "what the draws pay, how often, from where",
    "s": "a credit taken back before no va más",
}
BONUS = {
    "8": "a box that folds shows its two cards",
    "9": "one player at least, one box each, table limits",
    "10": "two rounds of one card, the dealer last",
    "11": "fold or flop bet; turn and river bets of an ante or a check",
    "12": "ties by the cards named, then by the highest other card",
    "13": "bets 1:1, ante from a straight; the bonus list",
    "a": "several winners share as in Oasis",
    "b": "which cards count for the bonus",
    "c": "a folded box loses its bonus",
    "d": "start value and restart as in Oasis",
    "e": "the dealer always plays",
    "f": "fixed rows are not multiplied",
    "g": "stake and start value keep the list under 100 %",
}
CIRCLE = {
    "2": "the best five of two own cards and the five on the board",
    "3": "four rounds of bets",
    "4": "4 to 10 players",
    "5": "at most 5 % of every pot",
    "6": "order of hands",
    "7": "blinds fixed for the game; least purchase, least rebuy, most in total",
    "8": "the game's blinds are on the screen before it begins",
    "12": "the button marks who acts last",
    "14": "two hours by default, never under one",
    "15": "when the time is over the hand is finished and one more played",
    "16": "four players to begin and to go on",
    "18": "seats are drawn with equal chances, and recorded",
    "19": "the least purchase",
    "21": "first button: the highest occupied seat",
    "22": "a newcomer sits nearest to the big blind",
    "23": "between button and small blind he waits, and the button passes him by",
    "24": "at the big blind he plays and posts it",
    "25": "he brings the minimum, after an orbit the others' average",
    "26": "the game ends by time, or when three remain",
    "27": "at the end the table is freed",
    "28": "those present may go on in the next game",
    "29": "rebuys from the minimum to the game's maximum",
    "30": "rebuys within the limits",
    "31": "a rebuy told in a hand comes into play after it",
    "32": "who has lost all stays while he may rebuy",
    "33": "rebuys are announced on the screen",
    "34": "a player leaves between hands only",
    "35": "who leaves takes his chips",
    "36": "his blinds are dead",
    "37": "a rest of up to two hands",
    "38": "blinds missed while resting go into the pot on return",
    "41": "bets and cards go clockwise from the button's left",
    "42": "who is left of the button gets the first card and posts the small blind",
    "43": "the button moves one player on",
    "44": "first round: blinds, two cards each, fold, call, raise, check",
    "45": "a burned card, three on the board, bets from the button's left",
    "46": "a burned card and the fourth",
    "47": "a burned card and the fifth; raises of the call and at least one big blind",
    "48": "every bet is at least one big blind",
    "49": "a blind forgotten at the deal is owed",
    "50": "60 seconds, then 10 more, then the hand is folded",
    "52": "a declared action stands",
    "53": "one motion; without a word the raise is what was put in",
    "54": "one oversized chip is a call",
    "55": "too few chips are completed to a call",
    "56": "nobody bets before his turn",
    "57": "a bet out of turn binds to call or fold",
    "58": "bets go into the main pot and the side pots after each round",
    "61": "deal errors void the hand; bets are returned",
    "62": "cards dealt to an absent seat are collected",
    "63": "a board card shown too early is replaced",
    "64": "the first surplus board card is the next burned one",
    "66": "mixed cards kill both hands",
    "69": "cards mixed with the discard are a dead hand; the chief may restore it",
    "70": "sanctions with their reason",
    "71": "the last to bet shows first; the others show or give up",
    "72": "the hands are read aloud",
    "73": "the hands shown are compared",
    "74": "the cards speak",
    "75": "each pot goes to its winner, without what the house keeps",
    "76": "who lost all and buys no more is eliminated",
    "77": "dead button",
    "78": "dead small blind",
    "79": "both",
    "80": "main pot and side pots",
    "81": "ties split the pot",
    "82": "the odd chip goes to the first winner left of the button, pot by pot",
    "83": "a player's chips are his stack",
    "84": "all-in to bet, and all-in because it is no more",
    "86": "all-in for less plays for its part",
    "87": "what nobody covers goes back",
    "88": "who lost all needs a rebuy to be dealt in",
    "89": "who is all-in is not asked again",
    "90": "once nobody can bet the cards are turned up",
    "91": "no chips come into play in a hand",
    "92": "best five of seven",
    "93": "ties by the cards named",
    "94": "ties by the cards named, then split",
    "95": "rake before payment",
    "96": "rounded down",
    "a": "rake is floored pot by pot, to the smallest chip",
    "b": "a short all-in raise does not reopen the betting",
    "c": "a short big blind: the others owe the full one",
    "d": "the button stays in place",
    "e": "A-2-3-4-5 is a straight",
    "f": "rake without a flop, or not",
    "g": "a circle table may carry a jackpot",
}
PEOPLES = {
    "O": {
        "12": "the cloth's spaces for ante and bet",
        "15": "the supervisor",
        "16": "the dealer",
        "27": "the players look at their cards",
    },
    "B": {"7": "cutting the deck, and counting it after each hand"},
    "C": {
        "1": "what the game is, and the deck",
        "9": "the band of limits that the lottery authorises: whoever writes the configuration keeps to it",
        "10": "the table and its seats",
        "11": "the deck",
        "13": "the chips",
        "17": "the cards are spread before the game",
        "20": "cash and special chips are changed",
        "39": "shuffle and cut",
        "40": "nobody interrupts them",
        "51": "a bet is announced, in exact chips",
        "59": "nobody bets for another",
        "60": "chips lie so that all can see them",
        "65": "cards stay on the cloth",
        "67": "players guard their cards",
        "68": "cards shown out of turn change nothing",
        "85": "all-in is said aloud",
        "97": "cards are thrown away face down",
        "98": "a card uncovered on the way is shown to all",
        "99": "no onlookers, no playing together",
        "100": "no telephones",
        "101": "who plays accepts the rules",
        "102": "the house decides what is not provided for",
    },
}
"""Articles that ask something of people and nothing of the software."""
REGULATIONS = {
    "O": ("Oasis, Argentina 2010", OASIS),
    "B": ("Texas Hold'em Bonus, Perú 2010", BONUS),
    "C": ("Texas Hold'em, Argentina 2009", CIRCLE),
}


def marks_by_article() -> dict[str, list[str]]:
    """`file::test` by article, over all tests."""
    return shown_by("article")


def known_articles() -> dict[str, str]:
    """What each article asks for, by its full name (`O-59`)."""
    return {f"{letter}-{key}": text for letter, (_, rows) in REGULATIONS.items() for key, text in rows.items()}


def page() -> str:
    """The page as Markdown."""
    found = marks_by_article()
    lines = ["# Article by article", "", "Made by `scripts/articles.py` from the tests' marks.", ""]
    for letter, (title, rows) in REGULATIONS.items():
        lines += [f"## {letter}. {title}", "", "| article | what is done | tests |", "|---|---|---|"]
        for key, text in rows.items():
            article = f"{letter}-{key}"
            tests = listed(found.get(article, [])) or "none yet"
            lines.append(f"| {article} | {text} | {tests} |")
        told = "; ".join(f"{key} ({text})" for key, text in PEOPLES[letter].items())
        lines += ["", f"Asked of people, not of the software: {told}.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    missing = sorted(known_articles().keys() - marks_by_article().keys())
    print(f"{PAGE}: {len(known_articles())} articles and readings; without a test: {' '.join(missing) or 'none'}")
