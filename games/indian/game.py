"""13-card Indian rummy, put together."""

from typing import Final

from games.engine.game import Game, Lesson, Money, Records, Words
from games.engine.legacy import Legacy
from games.indian import bots, hand_tool, records, rulesets, texts
from games.indian.advice import HELP
from games.indian.analysis.report import ANALYSIS
from games.indian.core import CORE
from games.indian.fairplay.tracing import FAIR_PLAY
from games.indian.first_deal import LESSON_SEED
from games.indian.moves import WIRE
from games.indian.puzzles.finding import PUZZLES
from games.indian.rulesets import RULES
from games.indian.seatview import VIEW
from games.indian.stored import STORED
from games.indian.words import TEXTS

GAME: Final = Game(
    code="indian",
    title=texts.TITLE,
    formats=texts.FORMATS,
    rules=RULES,
    money=Money(
        format_of=rulesets.format_of,
        title_of=texts.title_of,
        largest_loss=rulesets.largest_loss,
        for_event=rulesets.for_event,
        event_start=rulesets.event_start,
        at_stake=rulesets.at_stake,
    ),
    core=CORE,
    stored=STORED,
    wire=WIRE,
    view=VIEW,
    hand_help=HELP,
    bots=bots.choose,
    words=Words(TEXTS, texts.RULE_FACTS),
    records=Records(
        records.deal_record,
        records.step_record,
        records.review,
        tuple(sorted(hand_tool.FIELDS)),
        hand_tool.answer,
    ),
    lesson=Lesson("lesson", LESSON_SEED),
    analysis=ANALYSIS,
    puzzles=PUZZLES,
    fair_play=FAIR_PLAY,
)
INDIAN: Final = Legacy(GAME)
