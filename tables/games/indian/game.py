"""13-card Indian rummy, put together."""

from typing import Final

from tables.games.engine.game import Game, Lesson, Money, Records, Words
from tables.games.engine.legacy import Legacy
from tables.games.indian import bots, hand_tool, records, rulesets, texts
from tables.games.indian.advice import HELP
from tables.games.indian.analysis.report import ANALYSIS
from tables.games.indian.core import CORE
from tables.games.indian.fairplay.tracing import FAIR_PLAY
from tables.games.indian.first_deal import LESSON_SEED
from tables.games.indian.moves import WIRE
from tables.games.indian.puzzles.finding import PUZZLES
from tables.games.indian.rulesets import RULES
from tables.games.indian.seatview import VIEW
from tables.games.indian.stored import STORED
from tables.games.indian.words import TEXTS

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
