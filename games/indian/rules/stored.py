"""States of Indian rummy as bytes."""

from typing import Any, Final

from games.engine.codec import Stored
from games.engine.version_1 import HEAD, Version1
from games.indian.rules.match import Match
from games.indian.rules.ruleset import RULES

# The fields of version 1, in their order.
_FIELDS: Final = {
    "Match": "rules deal standings number stage due_at tie_breaker question may_offer parts",
    "Deal": (
        "seed players wild closed open_pile started_at due_at toss discards phase turn turn_number"
        " drawn drawn_from_open finish declaration ending restocks"
    ),
    "Player": "seat groups extra_ms rev status missed turns has_drawn points how",
    "Standing": "seat membership score chips deals_won entries out_in tie_points",
    "Question": "waiting score asker about",
    "Declaration": "seat groups reason failed_group",
}


def _amend(values: dict[str, Any]) -> None:
    seed, players, *rest = values["deal"]
    values["deal"] = [seed, [_player(*text.split()) for text in players], *rest]
    values["standings"] = [_standing(*text.split()) for text in values["standings"]]
    if values["question"] is not None:
        values["question"] = [*values["question"], values["stage"]]
        values["stage"] = "asking"


def _player(seat: str, groups: str, *words: str) -> list[Any]:
    extra_ms, rev, status, missed, turns, has_drawn, points, how = words
    numbers = (int(missed), int(turns), has_drawn == "1", _number(points))
    return [int(seat), groups, int(extra_ms), int(rev), status, *numbers, _word(how)]


def _standing(seat: str, membership: str, *words: str) -> list[Any]:
    """Read a standing. Old states leave its tie points out where there were none."""
    score, chips, deals_won, entries, out_in, tie_points, *_ = map(_number, (*words, "0"))
    return [int(seat), membership, score, chips, deals_won, entries, out_in, tie_points]


def _word(word: str) -> str | None:
    return None if word == "-" else word


def _number(word: str) -> int | None:
    return None if word == "-" else int(word)


STORED: Final = Stored(
    Match,
    version=2,
    earlier={HEAD: Version1(Match, fields=_FIELDS, rules=RULES.parse_older, amend=_amend).load},
)
