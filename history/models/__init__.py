"""The data that is kept about finished play, and data that is computed from it."""

from history.models.corrections import MatchCorrection
from history.models.fairplay import MatchTrace, PairNight, SittingKey, SittingTrace
from history.models.puzzles import (
    LONGEST_ANSWER,
    AnalysisState,
    Puzzle,
    PuzzleAnswer,
    PuzzleRating,
    PuzzleRush,
    PuzzleSearch,
    SeatAnalysis,
)
from history.models.records import MatchArchive, MatchLink
from history.models.support import CaseState, CaseTopic, SupportCase, SupportMessage

__all__ = [
    "LONGEST_ANSWER",
    "AnalysisState",
    "CaseState",
    "CaseTopic",
    "MatchArchive",
    "MatchCorrection",
    "MatchLink",
    "MatchTrace",
    "PairNight",
    "Puzzle",
    "PuzzleAnswer",
    "PuzzleRating",
    "PuzzleRush",
    "PuzzleSearch",
    "SeatAnalysis",
    "SittingKey",
    "SittingTrace",
    "SupportCase",
    "SupportMessage",
]
