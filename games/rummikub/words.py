"""All English texts of Rummikub: names, rule facts, and those of the table page and its coach.

The page fills in `{name}` in a text. Key suffixes such as `_one` are explained in tables/texts.py.
static/js/games/rummikub/core/lesson.js decides when the coach speaks.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.engine.base import Format, RuleFact, Text, group_facts, pgettext, text
from games.engine.base import gettext_noop as _
from games.rummikub.rules.ruleset import POINTS, SEATS, RummikubRules
from games.rummy_words import (
    BREAK_SECONDS,
    COACH_WORDS,
    DEAL_LIMITS,
    MISSED_TURNS,
    NO_LIMIT,
    TURN_SECONDS,
)

TITLE: Final = text(_("Rummikub"))

FORMATS: Final = (
    Format(
        code="POINTS",
        title=text(_("Points Rummikub")),
        stake="per_point",
        seats=SEATS,
        presets=("points", "sabra30", "modern"),
    ),
    Format(
        code="DEALS",
        title=text(_("Rummikub session")),
        stake="entry_fee",
        seats=SEATS,
        presets=("session4", "modern4", "tournament"),
        is_for_events=True,
        event_preset="tournament",
    ),
)


def format_title(rules: RummikubRules) -> Text:
    is_modern = rules.joker_melds == "free"
    if not rules.is_per_point:
        session = _("Rummikub, %(deals)s deals")
        if is_modern:
            session = _("Modern Rummikub, %(deals)s deals")
        elif rules.group_swap == "both":
            session = _("Tournament Rummikub, %(deals)s deals")
        return text(session, deals=rules.deals)
    if is_modern:
        return text(_("Modern Rummikub"))
    if rules.initial_meld == POINTS.initial_meld:
        return text(_("Points Rummikub"))
    return text(_("Rummikub, %(points)s points to begin"), points=rules.initial_meld)


RULE_FACTS: Final[Sequence[RuleFact]] = (
    *group_facts(
        "cards",
        RuleFact(text(_("Tiles on a rack")), "rack_size"),
        RuleFact(text(_("Points of the initial meld")), "initial_meld"),
        RuleFact(text(_("Tiles on the table may be used for the initial meld")), "open_then_play"),
        RuleFact(
            text(_("A meld with a joker on the table")),
            "joker_melds",
            words={
                "frozen": text(_("may not be rearranged")),
                "free": text(_("may be rearranged")),
            },
        ),
        RuleFact(
            text(_("The tile that takes a joker's place comes from")),
            "swap_from",
            words={"rack": text(_("your rack")), "anywhere": text(_("your rack or the table"))},
        ),
        RuleFact(
            text(_("A joker in a group of three is freed by")),
            "group_swap",
            words={
                "one": text(_("one of the two missing tiles")),
                "both": text(_("both missing tiles")),
            },
        ),
        RuleFact(text(_("Drawing is refused while a tile can be laid")), "must_play"),
    ),
    *group_facts(
        "counting",
        RuleFact(text(_("Points for a joker left on a rack")), "joker_points"),
        RuleFact(text(_("Most points that a rack can count")), "max_points", words=NO_LIMIT),
    ),
    *group_facts(
        "deal",
        RuleFact(text(_("Tiles drawn when the time has run out")), "overtime_tiles"),
        RuleFact(
            text(_("Tiles drawn when the time has run out and the table is not valid")),
            "invalid_tiles",
        ),
        MISSED_TURNS,
        *DEAL_LIMITS,
    ),
    *group_facts("match", RuleFact(text(_("Deals of a session")), "deals", only_in="DEALS")),
    *group_facts(
        "clock",
        TURN_SECONDS,
        RuleFact(text(_("Seconds for an absent player's turn")), "away_seconds"),
        BREAK_SECONDS,
    ),
)

# --- The coach of a first deal.

COACH: Final = {
    **COACH_WORDS,
    "coach_goal_meld": text(_("Meld")),
    "coach_goal_open": text(_("Open")),
    "coach_goal_more": text(_("Lay more")),
    "coach_wait": text(
        _(
            "Your opponent sits down and the tiles are dealt in a moment. You get fourteen: the "
            "first to lay them all wins."
        )
    ),
    "coach_waiting": text(
        _(
            "The other player is thinking. Sort shows your tiles by colour or by number: look for "
            "melds."
        )
    ),
    "coach_draw_first": text(
        _(
            "Your turn. Your first lay needs melds of {least} points or more, only from "
            "your rack, and none are easy to see yet. Press Best to be sure, or press "
            "Draw."
        )
    ),
    "coach_open": text(
        _(
            "You can begin: you hold melds of {count} points, and {least} are needed. Choose "
            "{cards}, then press New meld."
        )
    ),
    "coach_more": text(
        _(
            "{count} of {least} points are laid. Add the next meld: choose {cards}, then press New "
            "meld."
        )
    ),
    "coach_short": text(
        _(
            "These melds have {count} of the {least} points that your first lay needs. Press Reset "
            "my turn, then draw."
        )
    ),
    "coach_meld": text(_("You hold a meld: choose {cards}, then press New meld.")),
    "coach_add": text(_("The {cards} fits on meld {count}: choose it, then press + at that meld.")),
    "coach_draw": text(
        _(
            "No meld on your rack, and no tile that fits at once. Best looks for a way to "
            "rearrange the table; or press Draw."
        )
    ),
    "coach_pass": text(_("The pool is empty and nothing fits at once: press Best, or Pass.")),
    "coach_checking": text(_("Checking…")),
    "coach_lay": text(
        _("Right: every meld on the table is valid. Press Lay, or go on and lay more.")
    ),
    "coach_not_valid": text(
        _(
            "Not every meld is valid yet: each needs three tiles or more, of one number "
            "in different colours, or of one colour in a row. Go on, or press Undo."
        )
    ),
    "coach_out": text(_("You are out of this deal.")),
    "coach_won": text(
        _("You won your first deal of Rummikub by {count} points. That is all there is to it!")
    ),
    "coach_lost": text(
        _(
            "Your first deal is over: the tiles left on your rack count {count} points. Now you "
            "know how it goes."
        )
    ),
}

# --- The table page.

_TILES: Final = {
    "tile_S": text(_("black {number}")),
    "tile_H": text(_("red {number}")),
    "tile_D": text(_("orange {number}")),
    "tile_C": text(_("blue {number}")),
    "tile_joker": text(_("joker")),
    "tile_joker_for": text(_("joker for {tile}")),
    "of_your_rack": text(_("of your rack")),
    "just_drawn": text(_("just drawn")),
    "just_laid": text(_("laid in the last turn")),
    "just_moved": text(_("moved in the last turn")),
    "tiles": text(_("{count} tiles")),
    "tiles_one": text(_("{count} tile")),
    "pool": text(_("Pool: {count} tiles")),
    "pool_one": text(_("Pool: {count} tile")),
}

_TABLE: Final = {
    "table_empty": text(_("Nothing has been laid yet.")),
    "meld_label": text(_("Meld {number}, {kind}")),
    "kind_run": text(_("run")),
    "kind_group": text(_("group")),
    "kind_none": text(_("not a meld yet")),
    "kind_open": text(_("being checked")),
    "new_meld": pgettext("button", "New meld"),
    "add_to": text(_("Add the chosen tiles to meld {number}")),
    "reread": text(_("Let the joker replace another tile")),
    "checking": text(_("Checking…")),
    "lay_worth": text(_("Tiles: {tiles}, points: {points}")),
    "opening_worth": text(_("{points} of {least} points to begin")),
    "last_lay": text(_("{name} laid {count} tiles.")),
    "last_lay_one": text(_("{name} laid {count} tile.")),
    "last_lay_moved": text(_("{name} laid {count} tiles and moved {moved}.")),
    "last_lay_moved_one": text(_("{name} laid {count} tile and moved {moved}.")),
    "reason_table_not_valid": text(_("Not every meld is complete.")),
    "reason_tiles_missing": text(_("Tiles of the table are missing.")),
    "reason_nothing_laid": text(_("Lay at least one tile from your rack.")),
    "reason_below_initial_meld": text(_("Begin with melds from your rack only:")),
    "reason_begin_first": text(
        _(
            "First lay {least} points only from your own rack; until then you may not move "
            "the tiles on the table."
        )
    ),
    "reason_table_not_yours": text(_("Leave the table as it is until you have begun.")),
    "reason_joker_is_frozen": text(_("A meld with a joker has to stay together.")),
    "reason_joker_not_laid": text(_("The joker needs two more tiles from your rack.")),
    "reason_card_not_held": text(_("A tile is not yours.")),
    "by_number": text(_("By number")),
    "by_colour": text(_("By colour")),
    "no_advice": text(_("There is no advice just now.")),
    "nothing_to_lay": text(_("There is nothing to lay: draw a tile.")),
}

_STANDING: Final = {
    "status_not_opened": text(_("has not begun")),
    "status_missed": text(_("missed {missed} of {of}")),
    "status_out": text(_("out")),
    "status_left": text(_("left")),
    "status_won": text(_("won")),
    "status_lost": text(_("lost")),
    "score_of": text(_("{points} points")),
    "score_of_one": text(_("{points} point")),
    "deal_of": text(_("Deal {deal} of {deals}")),
    "deal_number": text(_("Deal {deal}")),
    "deal": text(_("Deal")),
    "total": text(_("Total")),
    "score_sheet": text(_("Score sheet")),
    "read_time": text(_("Time left {time}")),
    "leave_text": text(_("Your stack goes back to your wallet.")),
    "leave_text_playing": text(_("You are in a deal: leaving now costs the points on your rack.")),
    "leave_text_session": text(
        _("You are in a match: if you leave now, you lose your place and your entry fee.")
    ),
}

_NOTICES: Final = {
    "notice_open_draw": text(_("Your turn: lay {least} points to begin, or draw")),
    "notice_open_pass": text(_("Your turn: lay {least} points to begin, or pass")),
    "notice_lay_draw": text(_("Your turn: lay tiles, or draw")),
    "notice_lay_pass": text(_("Your turn: lay tiles, or pass")),
    "notice_other": text(_("{name} plays…")),
}

_EVENTS: Final = {
    "event_dealt": text(_("The tiles are dealt.")),
    "event_toss": text(_("Each drew a tile: the highest begins.")),
    "event_laid": text(_("{name} laid tiles worth {points} points.")),
    "event_laid_own": text(_("You laid tiles worth {points} points.")),
    "event_opened": text(_("{name} has begun with {points} points.")),
    "event_opened_own": text(_("You have begun with {points} points.")),
    "event_drew": text(_("{name} drew a tile.")),
    "event_drew_own": text(_("You drew a tile.")),
    "event_drew_overtime": text(_("Time is up: {name} drew {count} tiles.")),
    "event_drew_overtime_one": text(_("Time is up: {name} drew a tile.")),
    "event_drew_overtime_own": text(_("Time is up: you drew {count} tiles.")),
    "event_drew_overtime_own_one": text(_("Time is up: you drew a tile.")),
    "event_drew_invalid": text(
        _(
            "Time is up: the table of {name} was not valid and was put back; they drew "
            "{count} tiles."
        )
    ),
    "event_drew_invalid_own": text(
        _("Time is up: your table was not valid and was put back; you drew {count} tiles.")
    ),
    "event_passed": text(_("{name} passed.")),
    "event_passed_own": text(_("You passed.")),
    "event_missed_turn": text(_("{name} missed a turn.")),
    "event_missed_turn_own": text(_("You missed a turn.")),
    "event_out": text(_("{name} is out of the deal.")),
    "event_out_own": text(_("You are out of the deal.")),
    "event_won_laid_out": text(_("{names} has laid the last tile and wins the deal.")),
    "event_won_laid_out_own": text(_("You have laid the last tile and win the deal.")),
    "event_won_count": text(_("The deal is over: {names} wins with the lowest rack.")),
    "event_won_count_own": text(_("The deal is over: you win with the lowest rack.")),
    "event_won_last_player": text(_("{names} wins the deal: all others are out.")),
    "event_won_last_player_own": text(_("You win the deal: all others are out.")),
    "you_drew": text(_("You drew {tiles}.")),
}

_RESULTS: Final = {
    "result_laid_out": text(_("{names} has laid everything and wins {points} points")),
    "result_laid_out_own": text(_("You have laid everything and win {points} points")),
    "result_blocked": text(_("{names} wins {points} points with the lowest rack")),
    "result_blocked_own": text(_("You win {points} points with the lowest rack")),
    "result_limit": text(_("The time for the deal is over: {names} wins {points} points")),
    "result_limit_own": text(_("The time for the deal is over: you win {points} points")),
    "result_last_player": text(_("{names} wins {points} points: all others are out")),
    "result_last_player_own": text(_("You win {points} points: all others are out")),
    "rack_counts": text(_("Rack {points}")),
    "rack_empty": text(_("Nothing is left.")),
    "lesson": text(_("Tiles left on your rack cost points, and a joker costs the most.")),
    "loses": text(_("{points} points lost")),
    "loses_one": text(_("{points} point lost")),
}

TEXTS: Final[Mapping[str, Text]] = {
    **_TILES,
    **_TABLE,
    **_STANDING,
    **_NOTICES,
    **_EVENTS,
    **_RESULTS,
    **COACH,
}
