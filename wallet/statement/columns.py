"""The columns of a statement: on its page, in its file and over the API.

A new column is a field of `StatementLine`, a `StatementColumn` for file and API, and a cell of
templates/wallet/statement.html (docs/adding.md).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.functional import Promise
from rest_framework import serializers

from core.administration.lists import quote_cell
from wallet.models import Entry, Reason
from wallet.money import Currency, format_plain_amount
from wallet.statement.texts import TOLD, describe_reason, describe_subject, find_numbers


@dataclass(frozen=True, slots=True)
class StatementLine:
    """An entry as the account's owner reads it. The page's template uses these names."""

    number: int
    happened_at: datetime
    words: str | Promise
    subject: str
    url: str
    amount: int
    balance_after: int
    reason: Reason
    currency: Currency
    # By kind: "table", "match".
    numbers: Mapping[str, int]


def build_line(
    entry: Entry, currency: Currency, names: Mapping[tuple[str, str], str]
) -> StatementLine:
    """Return an entry's line. `names` is the result of `texts.find_names`."""
    reason = Reason(entry.transfer.reason)
    subject, url = describe_subject(entry.transfer.journal, names)
    return StatementLine(
        number=entry.seq,
        happened_at=entry.happened_at,
        words=describe_reason(reason, came_in=entry.amount > 0),
        subject=subject,
        url=url,
        amount=entry.amount,
        balance_after=entry.balance_after,
        reason=reason,
        currency=currency,
        numbers=find_numbers(entry.transfer.journal),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementFileColumn:
    """A column of the file: its heading, and a function that gets the cell of a line."""

    heading: str
    cell: Callable[[StatementLine], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class InApi:
    """A value of the API: its name, its serializer field, and a function that gets the value of a line."""

    name: str
    field: serializers.Field[Any, Any, Any, Any]
    value: Callable[[StatementLine], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementColumn:
    file: StatementFileColumn | None = None
    api: InApi | None = None


def _get_number(kind: str, line: StatementLine) -> int | None:
    return line.numbers.get(kind)


# In the order of both the file and the API. Only the words of a line have a different place in the two.
COLUMNS = (
    StatementColumn(
        file=StatementFileColumn(heading="number", cell=lambda line: line.number),
        api=InApi(
            name="number",
            field=serializers.IntegerField(help_text="of the entry in its account, from 1"),
            value=lambda line: line.number,
        ),
    ),
    StatementColumn(
        file=StatementFileColumn(heading="time", cell=lambda line: line.happened_at.isoformat()),
        api=InApi(
            name="at",
            field=serializers.DateTimeField(),
            value=lambda line: line.happened_at,
        ),
    ),
    StatementColumn(
        file=StatementFileColumn(heading="what", cell=lambda line: quote_cell(str(line.words)))
    ),
    StatementColumn(
        file=StatementFileColumn(heading="about", cell=lambda line: quote_cell(line.subject))
    ),
    StatementColumn(
        file=StatementFileColumn(
            heading="amount", cell=lambda line: format_plain_amount(line.amount, line.currency)
        ),
        api=InApi(
            name="amount",
            field=serializers.IntegerField(
                help_text="chips or paise; below zero for what went out"
            ),
            value=lambda line: line.amount,
        ),
    ),
    StatementColumn(
        file=StatementFileColumn(
            heading="balance",
            cell=lambda line: format_plain_amount(line.balance_after, line.currency),
        ),
        api=InApi(
            name="balance",
            field=serializers.IntegerField(help_text="after the entry"),
            value=lambda line: line.balance_after,
        ),
    ),
    StatementColumn(
        api=InApi(
            name="reason",
            field=serializers.ChoiceField(choices=[reason.value for reason in Reason]),
            value=lambda line: line.reason,
        )
    ),
    StatementColumn(
        api=InApi(
            name="words",
            field=serializers.CharField(help_text="in the language of the request"),
            value=lambda line: str(line.words),
        )
    ),
    StatementColumn(
        file=StatementFileColumn(heading="currency", cell=lambda line: line.currency),
        api=InApi(
            name="currency",
            field=serializers.ChoiceField(choices=[currency.value for currency in Currency]),
            value=lambda line: line.currency,
        ),
    ),
    *(
        StatementColumn(
            api=InApi(
                name=kind,
                field=serializers.IntegerField(
                    allow_null=True, help_text=f"the {kind} that it is about; null: none"
                ),
                value=partial(_get_number, kind),
            )
        )
        for kind in TOLD
    ),
)

FILE_COLUMNS = tuple(column.file for column in COLUMNS if column.file)
API_COLUMNS = tuple(column.api for column in COLUMNS if column.api)
