"""The rows of live play. Seeds and changes are the record; a table's state is a cache of it."""

from tables.models.analysis import AnalysisState, SeatAnalysis
from tables.models.archive import MatchArchive
from tables.models.chat import (
    LONGEST_LINE,
    ChatLine,
    IgnoredPlayer,
    Report,
    ReportReason,
    ReportStatus,
)
from tables.models.clock import ClockBeat, ClockOutage
from tables.models.companions import ChipsPassed
from tables.models.fairplay import (
    MatchTrace,
    PairEvidence,
    PairNight,
    PairState,
    PairVerdict,
    SittingKey,
    SittingTrace,
)
from tables.models.faults import LONGEST_TRACEBACK, Doing, TableFault
from tables.models.match import Change, ChangeKind, Deal, Match, MatchStatus
from tables.models.people import Block, Follow, TableInvitation
from tables.models.puzzles import (
    LONGEST_ANSWER,
    Puzzle,
    PuzzleAnswer,
    PuzzleRating,
    PuzzleSearch,
)
from tables.models.ratings import (
    Board,
    DayTotal,
    LeaderboardPlace,
    Period,
    PlayerRating,
    RatingChange,
)
from tables.models.sharing import MatchLink
from tables.models.stakes import BotStrength, OneAccountPer, Stakes
from tables.models.support import CaseState, CaseTopic, SupportCase, SupportMessage
from tables.models.table import (
    EPOCH_BYTES,
    IN_THE_LOBBY,
    IN_THE_ORDER_OF_THE_LOBBY,
    JOINABLE,
    QueuePlace,
    Seat,
    SeatStatus,
    Table,
    TableStatus,
    TableTemplate,
    new_epoch,
)

__all__ = [
    "EPOCH_BYTES",
    "IN_THE_LOBBY",
    "IN_THE_ORDER_OF_THE_LOBBY",
    "JOINABLE",
    "LONGEST_ANSWER",
    "LONGEST_LINE",
    "LONGEST_TRACEBACK",
    "AnalysisState",
    "Block",
    "Board",
    "BotStrength",
    "CaseState",
    "CaseTopic",
    "Change",
    "ChangeKind",
    "ChatLine",
    "ChipsPassed",
    "ClockBeat",
    "ClockOutage",
    "DayTotal",
    "Deal",
    "Doing",
    "Follow",
    "IgnoredPlayer",
    "LeaderboardPlace",
    "Match",
    "MatchArchive",
    "MatchLink",
    "MatchStatus",
    "MatchTrace",
    "OneAccountPer",
    "PairEvidence",
    "PairNight",
    "PairState",
    "PairVerdict",
    "Period",
    "PlayerRating",
    "Puzzle",
    "PuzzleAnswer",
    "PuzzleRating",
    "PuzzleSearch",
    "QueuePlace",
    "RatingChange",
    "Report",
    "ReportReason",
    "ReportStatus",
    "Seat",
    "SeatAnalysis",
    "SeatStatus",
    "SittingKey",
    "SittingTrace",
    "Stakes",
    "SupportCase",
    "SupportMessage",
    "Table",
    "TableFault",
    "TableInvitation",
    "TableStatus",
    "TableTemplate",
    "new_epoch",
]
