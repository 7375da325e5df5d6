"""The verdict on an answer to a puzzle: a grade, and one sentence that agrees with it.

An answer can solve a puzzle without being the best one: of two nearly equal discards, both solve it. Only the best one
is called "right".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.registry import get_game
from history.models import Puzzle
from history.puzzles.answering import Judged, count_tiles_laid
from history.puzzles.pieces import find_pieces
from tables.catalog import translate


class Grade(StrEnum):
    BEST = "best"
    GOOD = "good"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class WordedVerdict:
    grade: Grade
    sentence: str

    @property
    def heading(self) -> str:
        if self.grade is Grade.BEST:
            return _("Right!")
        return pgettext("verdict", "Good") if self.grade is Grade.GOOD else _("Not the best")


def word_verdict(puzzle: Puzzle, judged: Judged) -> WordedVerdict:
    """Return the grade of an answer and its verdict as a sentence."""
    solution: Any = puzzle.solution
    if "options" not in solution:
        grade = Grade.BEST if judged.is_right else Grade.WRONG
        word = _word_tiles if "tiles" in puzzle.task else _word_groups
        return WordedVerdict(grade, word(puzzle, judged, solution))
    grade = Grade.WRONG
    if judged.is_right:
        grade = Grade.GOOD if judged.loss else Grade.BEST
    puzzles = get_game(puzzle.game).puzzles
    answers = {} if puzzles is None else puzzles.kinds[puzzle.kind].answers
    if answers:
        return WordedVerdict(grade, _word_choice(answers, judged, solution))
    return WordedVerdict(grade, _word_discard(puzzle, judged, solution, grade))


def _word_choice(answers: Mapping[str, Any], judged: Judged, solution: Mapping[str, Any]) -> str:
    """Return the sentence for a puzzle with two possible answers, of which one is better."""
    label, better = answers[solution["right"][0]]
    if judged.is_right:
        loss = max(option["loss"] for option in solution["options"])
        other = _("The other choice gives away %(loss)s points on average.") % {
            "loss": _tenths(loss)
        }
        return f"{translate(label)}. {other}"
    own = _("Your choice gives away %(loss)s points on average.") % {"loss": _tenths(judged.loss)}
    return f"{translate(better)} {own}"


def _word_discard(puzzle: Puzzle, judged: Judged, solution: Mapping[str, Any], grade: Grade) -> str:
    pieces = find_pieces(puzzle)
    best = [option["answer"] for option in solution["options"] if not option["loss"]]
    values = {
        "card": pieces.describe(judged.answer)["name"],
        "best": pieces.describe(best[0])["name"],
        "loss": _tenths(judged.loss),
    }
    if grade is Grade.BEST and len(best) > 1:
        text = _("No discard is better than the %(card)s.")
    elif grade is Grade.BEST:
        text = _("The %(card)s is the best discard.")
    elif grade is Grade.GOOD:
        text = _(
            "The %(card)s is nearly as good as the best discard, the %(best)s: %(loss)s "
            "points worse on average. The puzzle counts as solved."
        )
    else:
        text = _(
            "The best discard is the %(best)s. The %(card)s gives away %(loss)s points on average."
        )
    return text % values


def _word_groups(_puzzle: Puzzle, judged: Judged, solution: Mapping[str, Any]) -> str:
    points = solution["points"]
    if judged.is_right and solution.get("declarable"):
        return _("The hand can be declared.")
    if judged.is_right:
        return _("The hand counts %(points)s; no arrangement counts less.") % {"points": points}
    if not judged.loss:
        return _("The hand can be declared, but not as you arranged it.")
    return _("As you arranged it, the hand counts %(own)s; at best it counts %(least)s.") % {
        "own": round(points + judged.loss),
        "least": points,
    }


def _word_tiles(puzzle: Puzzle, judged: Judged, solution: Mapping[str, Any]) -> str:
    most = solution["points"]
    told = ngettext(
        "At most %(most)s tile can be laid.", "At most %(most)s tiles can be laid.", most
    ) % {"most": most}
    if judged.is_right:
        return told
    own = count_tiles_laid(puzzle, judged.answer)
    if own is None:
        return f"{told} {_('Not every group is a meld, so your answer is not valid.')}"
    return f"{told} {_('You laid %(own)s.') % {'own': own}}"


def _tenths(points: float) -> str:
    return number_format(points, decimal_pos=1)
