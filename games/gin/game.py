"""The game gin rummy, composed of its parts."""

from typing import Final

from games.engine.game import Game, Lesson, Money, Words
from games.gin import words
from games.gin.bots.choose import choose
from games.gin.guide import GUIDE
from games.gin.lab.analysis.report import ANALYSIS
from games.gin.lab.fairplay import FAIR_PLAY
from games.gin.lab.hand_help import HELP
from games.gin.lab.hand_tool import TOOL
from games.gin.lab.puzzles import PUZZLES
from games.gin.lab.records import RECORDS
from games.gin.rules import ruleset
from games.gin.rules.match import CORE
from games.gin.rules.moves import WIRE
from games.gin.rules.ruleset import RULES
from games.gin.rules.state import STORED
from games.gin.view import VIEW

GAME: Final = Game(
    code="gin",
    title=words.TITLE,
    formats=words.FORMATS,
    rules=RULES,
    money=Money(
        get_format_code=lambda rules: "POINTS" if rules.is_per_point else "GAME",
        format_title=words.format_title,
        largest_loss=ruleset.largest_loss,
        adapt_to_event=ruleset.adapt_to_event,
    ),
    core=CORE,
    stored=STORED,
    wire=WIRE,
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
