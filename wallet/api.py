"""REST: what a player has, and what has moved it."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from wallet import selectors
from wallet.cash import cash_is_on
from wallet.chart import AccountRef, bonus, player, winnings
from wallet.explanations import explain
from wallet.money import Currency

ACCOUNTS = ("chips", "deposit", "winnings", "bonus")


class CashSerializer(serializers.Serializer[object]):
    deposit = serializers.IntegerField(help_text="paise")
    winnings = serializers.IntegerField(help_text="paise; may be withdrawn")
    bonus = serializers.IntegerField(help_text="paise; may only be played")


class BalancesSerializer(serializers.Serializer[object]):
    chips = serializers.IntegerField()
    cash = CashSerializer(allow_null=True, help_text="null where nothing is played for cash")


class BalancesView(APIView):
    """What may be spent now."""

    @extend_schema(responses=BalancesSerializer, operation_id="balances")
    def get(self, request: Request) -> Response:
        balances = selectors.player_balances(int(request.user.pk or 0))
        cash = balances.cash
        shown = {"deposit": cash.deposit, "winnings": cash.winnings, "bonus": cash.bonus}
        return Response({"chips": balances.chips, "cash": shown if cash_is_on() else None})


class StatementEntrySerializer(serializers.Serializer[object]):
    number = serializers.IntegerField(help_text="of the entry in its account, from 1")
    at = serializers.DateTimeField()
    amount = serializers.IntegerField(help_text="chips or paise; below zero for what went out")
    balance = serializers.IntegerField(help_text="after the entry")
    reason = serializers.CharField()
    words = serializers.CharField(help_text="in the language of the request")


class StatementSerializer(serializers.Serializer[object]):
    results = StatementEntrySerializer(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="`before` of the next, older page")


class StatementView(APIView):
    """Entries of one account, newest first; pages do not shift when new ones come."""

    @extend_schema(
        operation_id="statement",
        parameters=[
            OpenApiParameter("account", str, enum=ACCOUNTS, default="chips"),
            OpenApiParameter("before", OpenApiTypes.INT64, description="`next` of the page before"),
        ],
        responses=StatementSerializer,
    )
    def get(self, request: Request) -> Response:
        asked = StatementQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        account = _account(asked.validated_data["account"], int(request.user.pk or 0))
        page = selectors.statement_page(account, before=asked.validated_data.get("before"))
        lines = [_line(entry) for entry in page.entries]
        return Response({"results": lines, "next": page.older})


class StatementQuery(serializers.Serializer[Any]):
    account = serializers.ChoiceField(choices=ACCOUNTS, default="chips")
    before = serializers.IntegerField(min_value=1, max_value=2**53, required=False)


def _account(name: str, user_id: int) -> AccountRef:
    return {
        "chips": player(user_id, Currency.CHIPS),
        "deposit": player(user_id, Currency.INR),
        "winnings": winnings(user_id),
        "bonus": bonus(user_id),
    }[name]


def _line(entry: Any) -> dict[str, Any]:
    return {
        "number": entry.seq,
        "at": entry.happened_at,
        "amount": entry.amount,
        "balance": entry.balance_after,
        "reason": entry.transfer.reason,
        "words": str(explain(entry).words),
    }
