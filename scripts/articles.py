"""Writes docs/articles.md: every article and reading of the three regulations, what we do, the tests that name it.

A test names what it holds by `@pytest.mark.article("O-59")`. O: Oasis, Argentina 2010; B: Texas Hold'em Bonus, Peru
2010; C: Texas Hold'em circle game, Argentina 2009; a letter for a number: a reading (`O-c`).
"""

from scripts.marks import ROOT, listed, tests_by_name

PAGE = ROOT / "docs" / "articles.md"

OASIS = {
    "1": "up to 7 boxes; a box without an ante is dealt nothing",
    "2": "the bet is exactly twice the ante, or the box folds",
    "3": "one card may be bought for the price of one ante",
    "4": "the bank never buys",
    "5": "the bank qualifies with ace-king or better",
    "7": "a buyer loses the progressive",
    "8": "A-2-3-4-5 is the lowest straight",
    "9": "suits are equal",
    "10": "pay table and decks are configuration",
    "11": "one box for each of up to seven players",
    "13": "jackpot bets are taken by a sensor or by the dealer's key",
    "14": "the shuffler's serial number is stored with the hand",
    "17": "no more players than boxes",
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
    "4": "4 to 10 players; the game ends when three remain",
    "5": "at most 5 % of every pot, rounded down",
    "7": "blinds are fixed for the game",
    "8": "minimum buy-in",
    "9": "minimum rebuy, maximum total buy",
    "14": "two hours by default, never under one",
    "15": "after the end of time one more hand",
    "16": "number of players",
    "18": "seats are drawn",
    "21": "first button",
    "22": "a newcomer sits nearest to the big blind",
    "23": "between button and small blind he waits",
    "24": "between small blind and button he gets no button in the next round",
    "25": "what he brings",
    "26": "end of the game",
    "28": "those present may go on",
    "29": "rebuys between hands",
    "30": "rebuys within the limits",
    "33": "rebuys are announced",
    "34": "a player leaves between hands",
    "36": "blinds of one who left",
    "37": "a rest of up to two hands",
    "38": "blinds missed while resting",
    "41": "the button moves",
    "43": "empty seats are skipped",
    "44": "four rounds of bets, burned cards",
    "47": "raises",
    "48": "every bet is at least one big blind; all-in for less",
    "49": "a forgotten blind is owed",
    "50": "60 seconds, then 10 more, then the hand is folded",
    "52": "a declared action stands",
    "53": "one motion",
    "54": "a raise without an amount",
    "55": "one oversized chip is a call",
    "56": "too few chips are completed to a call",
    "57": "a bet out of turn binds",
    "58": "main pot and side pots",
    "61": "deal errors void the hand",
    "62": "a card dealt to an absent seat",
    "63": "a board card shown too early",
    "64": "surplus board cards",
    "66": "mixed cards kill the hand",
    "69": "sanctions",
    "70": "sanctions are recorded",
    "71": "showdown order",
    "74": "the cards speak",
    "76": "eliminated players: dead button and dead small blind",
    "77": "dead button",
    "78": "dead small blind",
    "79": "both",
    "80": "ties split",
    "82": "odd chips",
    "86": "all-in",
    "90": "once all are all-in the cards are turned up",
    "92": "best five of seven",
    "94": "ties by the cards named, then split",
    "95": "rake",
    "96": "rake before payment",
    "a": "rake is floored pot by pot",
    "b": "a short all-in raise does not reopen the betting",
    "c": "a short big blind: the others owe the full one",
    "d": "the button stays in place",
    "e": "A-2-3-4-5 is a straight",
    "f": "rake without a flop",
    "g": "a circle table may carry a jackpot",
}
REGULATIONS = {
    "O": ("Oasis, Argentina 2010", OASIS),
    "B": ("Texas Hold'em Bonus, Perú 2010", BONUS),
    "C": ("Texas Hold'em, Argentina 2009", CIRCLE),
}


def marks_by_article() -> dict[str, list[str]]:
    """`file::test` by article, over all tests."""
    return tests_by_name("article")


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
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    missing = sorted(known_articles().keys() - marks_by_article().keys())
    print(f"{PAGE}: {len(known_articles())} articles and readings; without a test: {' '.join(missing) or 'none'}")
