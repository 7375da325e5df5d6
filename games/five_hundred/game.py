"""The game 500 Rum, composed of its parts."""

from typing import Final

from games.engine.game import Game, Lesson, Money, Words
from games.five_hundred import words
from games.five_hundred.bots import choose
from games.five_hundred.guide import GUIDE
from games.five_hundred.lab.fairplay import FAIR_PLAY
from games.five_hundred.lab.records import RECORDS
from games.five_hundred.rules import ruleset
from games.five_hundred.rules.match import CORE, STORED
from games.five_hundred.rules.moves import WIRE
from games.five_hundred.rules.ruleset import RULES
from games.five_hundred.view import VIEW

GAME: Final = Game(
    code="five_hundred",
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
    bots=choose,
    has_expert=False,
    words=Words(words.TEXTS, words.RULE_FACTS),
    records=RECORDS,
    lesson=Lesson("lesson"),
    guide=GUIDE,
    fair_play=FAIR_PLAY,
)
