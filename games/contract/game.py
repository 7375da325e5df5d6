"""The game Contract Rummy, composed of its parts."""

from typing import Final

from games.analysis.laid_puzzles import LaidPuzzles
from games.contract import words
from games.contract.bots.choose import choose
from games.contract.guide import GUIDE
from games.contract.lab.analysis import ANALYSIS
from games.contract.lab.fairplay import FAIR_PLAY
from games.contract.lab.hand import HELP, RECORDS, TOOL
from games.contract.rules import ruleset
from games.contract.rules.match import CORE, STORED
from games.contract.rules.moves import WIRE
from games.contract.rules.ruleset import RULES
from games.contract.view import VIEW
from games.engine.game import Game, Lesson, Money, Words

GAME: Final = Game(
    code="contract",
    title=words.TITLE,
    formats=words.FORMATS,
    rules=RULES,
    money=Money(
        get_format_code=lambda rules: "POINTS" if rules.per_point else "CONTRACTS",
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
    puzzles=LaidPuzzles(ANALYSIS, lambda rules, players: rules.packs_for(players)),
    fair_play=FAIR_PLAY,
)
