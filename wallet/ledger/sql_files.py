"""The SQL of the ledger (wallet/sql/ledger), for migrations and for the test that compares."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "sql/ledger"
_NOT_A_FUNCTION = ("types", "tables", "triggers")


def function_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.sql") if path.stem not in _NOT_A_FUNCTION)


def sql_of(name: str) -> str:
    """A file's text, for `migrations.RunSQL`."""
    return (FOLDER / f"{name}.sql").read_text()


def everything() -> str:
    """For an empty database, in the order in which it can be run."""
    # Functions name each other; their bodies are looked at when they are first called.
    parts = ["SET LOCAL check_function_bodies = off;", sql_of("types"), sql_of("tables")]
    parts += map(sql_of, function_names())
    return "\n".join([*parts, sql_of("triggers")])
