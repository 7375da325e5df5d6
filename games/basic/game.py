"""The game basic rummy, composed of its parts."""

from typing import Final

from games.analysis.laid_puzzles import LaidPuzzles
from games.basic import words
from games.basic.bots.choose import choose
from games.basic.guide import GUIDE
from games.basic.lab.analysis import ANALYSIS
from games.basic.lab.fairplay import FAIR_PLAY
from games.basic.lab.hand import HELP, RECORDS, TOOL
from games.basic.rules import ruleset
from games.basic.rules.match import CORE, STORED
from games.basic.rules.moves import WIRE
from games.basic.rules.ruleset import RULES
from games.basic.view import VIEW
from games.engine.game import Game, Lesson, Money, Words

GAME: Final = Game(
    code="basic",
    title=words.TITLE,
    formats=words.FORMATS,
    rules=RULES,
    money=Money(
        get_format_code=lambda rules: "POINTS" if rules.is_per_point else "RACE",
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
    puzzles=LaidPuzzles(ANALYSIS, lambda _rules, _players: 1),
    fair_play=FAIR_PLAY,
)
