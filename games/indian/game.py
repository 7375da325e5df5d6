"""13-card Indian rummy, put together."""

from typing import Final

from games.engine.game import Game, HandTool, Lesson, Money, Records, Words
from games.indian import words
from games.indian.bots.choose import choose
from games.indian.lab import hand_tool, records
from games.indian.lab.analysis.report import ANALYSIS
from games.indian.lab.fairplay.tracing import FAIR_PLAY
from games.indian.lab.first_deal import LESSON_SEED
from games.indian.lab.guide import GUIDE
from games.indian.lab.hand_help import HELP
from games.indian.lab.puzzles.finding import PUZZLES
from games.indian.rules import ruleset
from games.indian.rules.core import CORE
from games.indian.rules.moves import WIRE
from games.indian.rules.ruleset import RULES
from games.indian.rules.stored import STORED
from games.indian.view import VIEW

GAME: Final = Game(
    code="indian",
    title=words.TITLE,
    formats=words.FORMATS,
    rules=RULES,
    money=Money(
        format_of=ruleset.format_of,
        title_of=words.title_of,
        largest_loss=ruleset.largest_loss,
        for_event=ruleset.for_event,
        event_start=ruleset.event_start,
        at_stake=ruleset.at_stake,
    ),
    core=CORE,
    stored=STORED,
    wire=WIRE,
    view=VIEW,
    hand_help=HELP,
    bots=choose,
    words=Words(words.TEXTS, words.RULE_FACTS),
    records=Records(records.deal_record, records.step_record, records.review),
    hand_tool=HandTool(tuple(sorted(hand_tool.FIELDS)), hand_tool.answer),
    lesson=Lesson("lesson", LESSON_SEED),
    guide=GUIDE,
    analysis=ANALYSIS,
    puzzles=PUZZLES,
    fair_play=FAIR_PLAY,
)
