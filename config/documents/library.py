"""The documents, each with its kind of reader and its address."""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FOLDER: Final = "docs"


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents for one kind of reader, as paths in the repository, in the order in which to read them."""

    title: str | Promise
    purpose: str | Promise
    paths: tuple[str, ...]
    # Related pages of the site: the name of the URL, and the title.
    pages: tuple[tuple[str, str | Promise], ...] = ()


SHELVES: Final = (
    Shelf(
        _("For players"),
        _("The rules by number, how ratings, bots and analyses work, and fair dealing."),
        (
            "docs/what-happens-if.md",
            "docs/games.md",
            "docs/rules.md",
            "docs/rules-gin.md",
            "docs/rules-basic.md",
            "docs/rules-contract.md",
            "docs/rules-rummikub.md",
            "docs/rules-five_hundred.md",
            "docs/rules-sources.md",
            "docs/tournaments.md",
            "docs/ratings.md",
            "docs/analysis.md",
            "docs/puzzles.md",
            "docs/bots.md",
            "docs/fairness.md",
            "docs/fair-play.md",
        ),
    ),
    Shelf(
        _("For operators"),
        _("Running the site: installing, upgrades, backups, money, staff, growth."),
        (
            "docs/install.md",
            "docs/install-debian.md",
            "docs/settings.md",
            "docs/translating.md",
            "docs/watch.md",
            "docs/upgrade.md",
            "docs/restore.md",
            "docs/recovery.md",
            "docs/replica.md",
            "docs/processes.md",
            "docs/tracing.md",
            "docs/operators.md",
            "docs/tasks/fee.md",
            "docs/tasks/table.md",
            "docs/tasks/tournament.md",
            "docs/tasks/cancel.md",
            "docs/tasks/chips.md",
            "docs/tasks/freeze.md",
            "docs/tasks/dispute.md",
            "docs/tasks/withdrawal.md",
            "docs/tasks/refund.md",
            "docs/tasks/correction.md",
            "docs/tasks/role.md",
            "docs/administration.md",
            "docs/money.md",
            "docs/app.md",
            "docs/machines.md",
            "docs/several-machines.md",
            "docs/scaling.md",
            "SECURITY.md",
            "CHANGELOG.md",
        ),
    ),
    Shelf(
        _("For developers"),
        _(
            "Playing with your own program: the WebSocket protocol, each game's messages, "
            "records of deals."
        ),
        (
            "docs/write-a-bot.md",
            "docs/protocol.md",
            "docs/bot-accounts.md",
            "docs/oauth.md",
            "docs/games/gin.md",
            "docs/games/basic.md",
            "docs/games/contract.md",
            "docs/games/rummikub.md",
            "docs/games/five_hundred.md",
            "docs/deal-record.md",
            "docs/open-data.md",
            "packages/client/README.md",
            "packages/engine/README.md",
            "packages/types/README.md",
            "examples/bot.py",
            "examples/gin_bot.py",
            "examples/laid_bot.py",
            "examples/rummikub_bot.py",
            "examples/ladder_bot.py",
            "examples/browser/index.html",
            "examples/pettingzoo_baseline.py",
            "examples/player.ts",
        ),
        (("api-docs", _("API for programs")), ("open_data", _("Open data"))),
    ),
    Shelf(
        _("For contributors"),
        _("How the code is built and written, with the reasons for its decisions."),
        (
            "CONTRIBUTING.md",
            "ARCHITECTURE.md",
            "GLOSSARY.md",
            "docs/adding.md",
            "docs/testing.md",
            "docs/benchmarks.md",
            "CODE_OF_CONDUCT.md",
            "docs/adr/README.md",
        ),
    ),
)


# Files that the documents mention.
_FILES: Final = (
    "docs/protocol.schema.json",
    "docs/asyncapi.json",
    "docs/grafana.json",
    "docs/deal-record.schema.json",
    "docs/open-data.schema.json",
    "docs/open-data-sample.jsonl",
)


@dataclass(frozen=True, slots=True)
class Document:
    path: str
    slug: str

    @property
    def is_program(self) -> bool:
        return not self.path.endswith(".md")

    @property
    def file_name(self) -> str:
        return posixpath.basename(self.path)

    def read(self) -> str:
        """Return the document's Markdown. A program is shown as a block of code under its path."""
        text = (settings.BASE_DIR / self.path).read_text()
        return f"# {self.path}\n\n```\n{text}```\n" if self.is_program else text


@cache
def list_documents() -> Mapping[str, Document]:
    """Return a mapping from path to document: the shelves' documents, then the decisions in docs/adr/README.md."""
    return MappingProxyType({path: Document(path, _build_slug(path)) for path in _list_paths()})


@cache
def get_documents_by_slug() -> Mapping[str, Document]:
    return MappingProxyType({one.slug: one for one in list_documents().values()})


def _list_paths() -> Iterator[str]:
    for shelf in SHELVES:
        yield from shelf.paths
    decisions = settings.BASE_DIR / FOLDER / "adr"
    for path in sorted(decisions.glob("0*.md")):
        yield f"{FOLDER}/adr/{path.name}"


@cache
def list_files() -> Mapping[str, str]:
    """Return the files that authors of programs download, as a mapping from file name to path."""
    programs = [one.path for one in list_documents().values() if one.is_program]
    return MappingProxyType({posixpath.basename(path): path for path in (*_FILES, *programs)})


def _build_slug(path: str) -> str:
    """Return a document's slug.

    For example, "docs/games/gin.md" becomes games/gin, "ARCHITECTURE.md" becomes architecture, "docs/adr/README.md"
    becomes adr, and "examples/gin_bot.py" becomes examples/gin-bot.
    """
    slug = posixpath.splitext(path.removeprefix(f"{FOLDER}/"))[0]
    return slug.removesuffix("/README").lower().replace("_", "-")
