"""The guide to Rummikub: tips, lays that the rules judge (`claims`), and example deals that they score."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games import guide_words as words
from games.cards import Card, parse_face
from games.engine.base import JSON, Text, text
from games.engine.base import gettext_noop as _
from games.engine.guide import (
    ENTRY_FEE,
    POINT_CHIPS,
    CardGroup,
    Claim,
    Example,
    ExampleRow,
    Guide,
    GuideEntry,
    Rake,
    Rules,
    claim,
    compute_pot,
    judge,
    make_match,
    play,
    write_sum,
)
from games.rummikub.rules.deal import Deal
from games.rummikub.rules.match import CORE, Match, compute_scores
from games.rummikub.rules.melds import DECK, JOKER, Meld, Melds, cards_of, make_meld, read_meld
from games.rummikub.rules.moves import Lay, Pass
from games.rummikub.rules.ruleset import POINTS

_RUNS_AND_GROUPS: Final = _(
    "A run is three or more tiles of one colour in order, a group three or four of one "
    "number in different colours. A run cannot go on from 13 to 1."
)
_END: Final = _(
    "The player who lays their last tile wins, and scores the count of the others' racks: "
    "numbers at face value, a joker %(joker)s. If the pool is empty and all pass, the lowest "
    "rack wins."
)


def tips(rules: Rules) -> Sequence[GuideEntry]:
    return (
        GuideEntry(
            text(_("Begin with high numbers")),
            text(
                _(
                    "The first lay must be worth %(least)s points, only from your rack: "
                    "three tiles of a high number are most of that."
                ),
                least=rules["initial_meld"],
            ),
        ),
        GuideEntry(
            text(_("Look for tiles that the table can spare")),
            text(
                _(
                    "A run of four or more can spare a tile at its end, a group of four "
                    "any of its tiles. With two of yours, that tile makes a new meld."
                )
            ),
        ),
        GuideEntry(
            text(_("Keep a tile that always fits")),
            text(
                _(
                    "The fourth of a group or the next of a run can wait on your rack for a turn "
                    "in which you have nothing else and would have to draw."
                )
            ),
        ),
        GuideEntry(
            text(_("Count the twins")),
            text(
                _(
                    "Each number exists twice in each colour. If both are on the table, stop "
                    "waiting for it."
                )
            ),
        ),
        GuideEntry(
            text(_("Do not keep a joker to the end")),
            text(
                _(
                    "On your rack it counts %(joker)s points against you. Use it before "
                    "somebody else has only a few tiles left."
                ),
                joker=rules["joker_points"],
            ),
        ),
        GuideEntry(
            text(_("Rebuild only what you can finish")),
            text(
                _(
                    "A turn lasts %(seconds)s seconds. If the table is not valid when "
                    "they are over, it goes back to what it was and you draw %(tiles)s "
                    "tiles."
                ),
                seconds=rules["turn_seconds"],
                tiles=rules["invalid_tiles"],
            ),
        ),
    )


def terms(rules: Rules) -> Sequence[GuideEntry]:
    return (
        GuideEntry(
            text(_("Pool")),
            text(
                _(
                    "Two to four play with 106 tiles: the numbers 1 to 13 in black, red, orange "
                    "and blue, each twice, and two jokers. Everybody gets %(size)s; the rest is "
                    "the pool."
                ),
                size=rules["rack_size"],
            ),
        ),
        GuideEntry(text(_("Meld")), text(_RUNS_AND_GROUPS)),
        GuideEntry(
            text(_("The first lay")),
            text(
                _(
                    "Lay tiles, or draw one from the pool. To begin, lay melds from your "
                    "own rack that are worth %(least)s points together."
                ),
                least=rules["initial_meld"],
            ),
        ),
        GuideEntry(
            text(_("Rearrange the table")),
            text(
                _(
                    "After that you may rearrange the whole table, as long as you add at "
                    "least one tile from your rack and leave only runs and groups."
                )
            ),
        ),
        GuideEntry(
            text(_("Jokers")),
            text(
                _(
                    "A joker replaces any tile. A meld with a joker stays together; tiles may be "
                    "added to it."
                )
            ),
        ),
        GuideEntry(
            text(_("Time")),
            text(
                _(
                    "A turn lasts %(seconds)s seconds. If the table is valid when the "
                    "time runs out, it stays, and you draw this many tiles: %(late)s. If "
                    "it is not, the table goes back to how it was, and you draw "
                    "%(tiles)s tiles."
                ),
                seconds=rules["turn_seconds"],
                late=rules["overtime_tiles"],
                tiles=rules["invalid_tiles"],
            ),
        ),
        GuideEntry(text(_("The end")), text(_END, joker=rules["joker_points"])),
        words.SERVICE_FEE,
    )


# --- Claims.


def claims() -> Sequence[Claim]:
    """Judge each lay by the rules. Only the last one is valid. Suits stand for colours: S H D C."""
    low = "8H 9H TH"
    return (
        _lay(
            _("Too little to begin with"),
            text(
                _("The first lay has to be worth %(least)s points. This run is worth %(points)s."),
                least=POINTS.initial_meld,
                points=_read(low)[0].points,
            ),
            after=low,
            has_opened=False,
        ),
        _lay(words.AROUND_THE_CORNER, _("A run cannot go from 13 to 1."), after="QC KC AC"),
        _lay(
            _("One colour twice"),
            _("Each tile of a group has a colour of its own."),
            after="7H 7H 7C",
        ),
        _lay(
            _("Two tiles left on their own"),
            _(
                "The seven is taken out of a run of three. The tiles left must still be a "
                "run or a group."
            ),
            before="5H 6H 7H",
            after="5H 6H|7H 7S 7C",
        ),
        _lay(
            _("From the table to the rack"),
            _("The eight is gone. Tiles on the table stay there."),
            before="5H 6H 7H 8H",
            after="5H 6H 7H|9S 9D 9C",
        ),
        _lay(
            _("Moved and nothing added"),
            _("Every lay must add at least one tile from your rack."),
            before="3S 4S 5S 6S 7S 8S",
            after="3S 4S 5S|6S 7S 8S",
        ),
        _lay(
            _("A joker pulled out"),
            _("It replaces the red six, so only a red six from your rack frees it."),
            before="5H PJ=6H 7H 8H 9H",
            after="7H 8H 9H|5H 5S PJ=5C",
        ),
        _lay(
            _("A freed joker with one tile"),
            _("Only the eight comes from the rack; the nine was already on the table."),
            before="5H PJ=6H 7H|9C TC JC QC",
            after="5H 6H 7H|TC JC QC|8C 9C PJ=TC",
        ),
        _lay(
            words.RIGHT,
            _("The run of four can spare its eight, and two more eights make it a group."),
            before="5H 6H 7H 8H",
            after="5H 6H 7H|8H 8S 8C",
        ),
    )


def _lay(
    title: str, why: str | Text, *, after: str, before: str = "", has_opened: bool = True
) -> Claim:
    """Judge the lay that turns the table `before` into the table `after`.

    Tiles that are not on the table before come from the rack, which holds one more tile.
    """
    table, new = _read_both(before, after)
    lying = set(cards_of(table))
    rack = (*(card for card in cards_of(new) if card not in lying), DECK[0])
    match = _turn(rack, has_opened=has_opened, table=table)
    refusal = judge(CORE, match, Lay(new))
    was = [_group(meld, note=text(_("Before"))) for meld in table]
    return claim(title, why, (*was, *(_group(meld) for meld in new)), refusal)


def _turn(rack: Sequence[Card], *others: str, has_opened: bool = True, **deal: Any) -> Match:
    racks = [tuple(rack), *(_read_tiles(other) for other in others or ("AD 4D",))]
    players = [{"rack": held, "has_opened": has_opened} for held in racks]
    match: Match = make_match(CORE, POINTS, players, **deal)
    return match


def _read_tiles(words_of_tiles: str) -> tuple[Card, ...]:
    return tuple(cards_of(_read(words_of_tiles)))


def _read(melds: str) -> Melds:
    return _read_both("", melds)[1]


def _read_both(before: str, after: str) -> tuple[Melds, Melds]:
    """Read a table before and after a lay. A tile that is on both is the same tile of the deck."""
    table = tuple(_read_melds(before, list(DECK)))
    lying = list(cards_of(table))
    return table, tuple(_read_melds(after, [*lying, *(card for card in DECK if card not in lying)]))


def _read_melds(melds: str, free: list[Card]) -> Iterator[Meld]:
    """Read `5H PJ=6H 7H|9S 9D 9C` as melds.

    For each tile, the first tile of its face is taken out of `free`.
    """
    for part in filter(None, melds.split("|")):
        pairs = [word.partition("=") for word in part.split()]
        cards = []
        for name, _sign, _face in pairs:
            card, *_others = [one for one in free if one.face == parse_face(name)]
            free.remove(card)
            cards.append(card)
        if any(face for _name, _sign, face in pairs):
            yield make_meld(cards, [parse_face(face or name) for name, _sign, face in pairs])
        else:
            yield read_meld(cards)


def _group(meld: Meld, note: Text | None = None) -> CardGroup:
    return CardGroup([_draw(card) for card in meld.cards], meld.kind is None, note)


def _draw(card: Card) -> Mapping[str, JSON]:
    """Return the values that templates/games/rummikub/_tile.html needs to show this tile."""
    if card.face == JOKER:
        return {"number": "\N{WHITE SMILING FACE}", "colour": "J"}
    return {"number": card.rank, "colour": str(card)[1]}


# --- Examples.


def examples(rake: Rake) -> Sequence[Example]:
    """Play the example deals to their end and count the racks."""
    run = _read("8H 9H TH")
    left = ("KC 7D AS", "PJ 4H")
    out = play(CORE, _turn(tuple(cards_of(run)), *left), (0, Lay(run)))
    passed = [(seat, Pass()) for seat in range(3)]
    blocked = play(CORE, _turn(_read_tiles("3C 4D"), *left, pool=()), *passed)
    session = _session(rake, compute_scores(out.deal)[0], compute_scores(blocked.deal)[0])
    return (
        _deal("out", text(_("Points Rummikub")), out.deal, rake),
        _deal("blocked", text(_("Nobody can go on")), blocked.deal, rake),
        session,
    )


def _deal(code: str, title: Text, deal: Deal, rake: Rake) -> Example:
    first, *others = deal.players
    less = first.points(POINTS)
    rows = [_row(words.describe_cost(player.lost), player.rack, less) for player in others]
    if first.rack:
        rows.insert(0, _row(words.YOU, first.rack, 0))
    points = compute_scores(deal)[0]
    about = text(_END, joker=POINTS.joker_points)
    return Example(
        code,
        title,
        about,
        rows,
        words.describe_gain(points),
        compute_pot(points * POINT_CHIPS, rake),
    )


def _row(label: Text, rack: Sequence[Card], less: int) -> ExampleRow:
    counts = [POINTS.joker_points if card.face == JOKER else card.rank for card in rack]
    return ExampleRow(
        label, [CardGroup([_draw(card) for card in rack])], write_sum(counts, less=less)
    )


def _session(rake: Rake, first: int, second: int) -> Example:
    """Compute a session of four deals: the reader wins two as in the examples, and loses the other two (K16)."""
    players = 3
    return Example(
        "session",
        text(_("Rummikub session")),
        words.entry_fees(players, ENTRY_FEE),
        [ExampleRow(words.YOU, (), write_sum((first, -28, second, -15)))],
        pot=compute_pot(players * ENTRY_FEE, rake),
    )


GUIDE: Final = Guide(
    tips,
    terms,
    claims,
    examples,
    about_claims=words.describe_no_harm,
    card="games/rummikub/_tile.html",
)
