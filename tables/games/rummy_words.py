"""Words of the table page for what rummy games share: a closed deck, an open pile, groups of a hand."""

from collections.abc import Mapping
from typing import Final

from tables.games.base import Text
from tables.games.wording import gettext_noop as _
from tables.games.wording import pgettext, text

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
    "best_laid": text(_("Your hand lies at its least count.")),
    "undone": text(_("Your cards lie as they did before.")),
}
