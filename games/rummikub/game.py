"""The game Rummikub, composed of its parts."""

from typing import Final

from games.engine.game import Game, Lesson, Money, Words
from games.rummikub import words
from games.rummikub.bots import choose
from games.rummikub.guide import GUIDE
from games.rummikub.lab.analysis.report import ANALYSIS
from games.rummikub.lab.fairplay import FAIR_PLAY
from games.rummikub.lab.hand_help import HELP
from games.rummikub.lab.hand_tool import TOOL
from games.rummikub.lab.puzzles import PUZZLES
from games.rummikub.lab.records import RECORDS
from games.rummikub.rules import match, ruleset
from games.rummikub.rules.match import CORE, STORED
from games.rummikub.rules.moves import WIRE
from games.rummikub.rules.ruleset import RULES
from games.rummikub.view import VIEW

GAME: Final = Game(
    code="rummikub",
    title=words.TITLE,
    formats=words.FORMATS,
    rules=RULES,
    money=Money(
        get_format_code=lambda rules: "POINTS" if rules.is_per_point else "DEALS",
        format_title=words.format_title,
        largest_loss=ruleset.largest_loss,
        adapt_to_event=ruleset.adapt_to_event,
        event_start=match.compute_start,
    ),
    core=CORE,
    stored=STORED,
    wire=WIRE,
    draft="table",
    view=VIEW,
    hand_help=HELP,
    bots=choose,
    words=Words(words.TEXTS, words.RULE_FACTS),
    records=RECORDS,
    hand_tool=TOOL,
    lesson=Lesson("lesson"),
    guide=GUIDE,
    analysis=ANALYSIS,
    puzzles=PUZZLES,
    fair_play=FAIR_PLAY,
)
