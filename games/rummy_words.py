"""Words that all rummy games share: rule facts, and the table page's words for piles, groups, turns and results."""

from collections.abc import Mapping
from typing import Final

from games.engine.base import JSON, RuleFact, Text, pgettext, text
from games.engine.base import gettext_noop as _

NO_LIMIT: Final[Mapping[JSON, Text]] = {None: text(_("no limit"))}
OPEN_CARD: Final = RuleFact(
    text(_("The open card may be discarded in the same turn")), "may_return_open_card"
)
MISSED_TURNS: Final = RuleFact(
    text(_("Missed turns in a row that end the deal for a player")), "max_missed_turns"
)
DEAL_LIMITS: Final = (
    RuleFact(text(_("Most turns of a player in a deal")), "max_turns"),
    RuleFact(text(_("Most minutes of a deal")), "max_minutes"),
)
TURN_SECONDS: Final = RuleFact(text(_("Seconds for a turn")), "turn_seconds")
EXTRA_SECONDS: Final = RuleFact(text(_("Extra seconds for the whole deal")), "extra_seconds")
BREAK_SECONDS: Final = RuleFact(text(_("Seconds between two deals")), "break_seconds")

RUMMY_WORDS: Final[Mapping[str, Text]] = {
    "no_card": text(_("empty")),
    "closed_deck": text(_("Closed deck, {count} cards")),
    "closed_deck_one": text(_("Closed deck, {count} card")),
    "closed_count": text(_("{count} cards")),
    "closed_count_one": text(_("{count} card")),
    "open_pile": text(_("Open pile: {card}")),
    "no_discards": text(_("Nothing has been discarded yet.")),
    "kind_sequence": text(_("Sequence")),
    "kind_set": text(_("Set")),
    "kind_none": text(_("No meld")),
    "group_label": text(_("Group {number}, {kind}, {count} cards")),
    "group_label_one": text(_("Group {number}, {kind}, {count} card")),
    "group_points": text(_("{kind} · {points}")),
    "group_loose": pgettext("points of a group", "{points} pts"),
    "group_loose_one": pgettext("points of a group", "{points} pt"),
    "add_here": text(_("Add here")),
    "add_here_short": text("+"),
    "add_to_group": text(_("Add the chosen cards to group {number}")),
    "choose_group": text(_("Group {number}, {kind}: choose all its cards")),
    "best": pgettext("button", "Best"),
    "undo": pgettext("button", "Undo"),
    "best_laid": text(_("Your hand is laid out at its lowest count.")),
    "undone": text(_("Your cards lie as they did before.")),
    "toss_card": text(_("Toss: {card}")),
    "last_discard": text(_("Discarded last: {card}")),
    "status_missed": text(_("missed {missed} of {of}")),
    "status_left": text(_("left")),
    "status_won": text(_("won")),
    "status_lost": text(_("lost")),
    "read_time": text(_("Time left {time}")),
    "notice_draw": text(_("Your turn: draw a card")),
    "notice_discard": text(_("Choose a card to discard")),
    "notice_other_draw": text(_("{name} draws…")),
    "notice_other_discard": text(_("{name} discards…")),
    "you_drew": text(_("You drew the {card}.")),
    "may_not_return": text(_("You took this card from the open pile. Discard another one.")),
    "event_drawn_closed": text(_("{name} drew from the closed deck.")),
    "event_drawn_closed_own": text(_("You drew from the closed deck.")),
    "event_drawn_open": text(_("{name} took the {card} from the open pile.")),
    "event_drawn_open_own": text(_("You took the {card} from the open pile.")),
    "event_discarded": text(_("{name} discarded the {card}.")),
    "event_discarded_own": text(_("You discarded the {card}.")),
    "event_missed_turn": text(_("{name} missed a turn.")),
    "event_missed_turn_own": text(_("You missed a turn.")),
    "leave_text": text(_("Your stack goes back to your wallet.")),
    "deal_number": text(_("Deal {deal}")),
    "score_sheet": text(_("Score sheet")),
}

# Texts of the coach in a first deal (static/js/games/rummy/view/coach.js).
COACH_WORDS: Final[Mapping[str, Text]] = {
    "coach_goal_draw": text(_("Draw")),
    "coach_goal_arrange": text(_("Arrange")),
    "coach_goal_discard": text(_("Discard")),
    "coach_done": text(_("{goal}, done")),
    "coach_hide": pgettext("button", "Hide"),
    "coach_open": pgettext("button", "Coach"),
}
