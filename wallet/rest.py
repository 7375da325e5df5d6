"""REST: a player's balances, statement and own limits."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, read_input
from accounts.api.base import ApiView, PageQuery, PageSerializer, refuses
from accounts.models import Scope
from wallet.cash import cash_is_on, require_cash
from wallet.ledger.balances import get_player_balances
from wallet.limits.selectors import LimitState, get_own_limits
from wallet.limits.services import set_deposit_limit, set_loss_limit
from wallet.models import DepositLimit, LimitPeriod, LossLimit
from wallet.money import MAX_AMOUNT
from wallet.refusals import CASH_IS_OFF
from wallet.statement.columns import API_COLUMNS
from wallet.statement.query import API_ACCOUNTS, StatementQuery


class CashSerializer(serializers.Serializer[object]):
    deposit = serializers.IntegerField(help_text="paise")
    winnings = serializers.IntegerField(help_text="paise; may be withdrawn")
    bonus = serializers.IntegerField(help_text="paise; may only be played")


class BalancesSerializer(serializers.Serializer[object]):
    chips = serializers.IntegerField()
    cash = CashSerializer(allow_null=True, help_text="null where nothing is played for cash")


class BalancesView(ApiView):
    """The amounts that may be spent now."""

    @extend_schema(responses=BalancesSerializer, operation_id="balances")
    def get(self, request: Request) -> Response:
        balances = get_player_balances(get_player(request).pk)
        cash = balances.cash
        amounts = {"deposit": cash.deposit, "winnings": cash.winnings, "bonus": cash.bonus}
        return Response({"chips": balances.chips, "cash": amounts if cash_is_on() else None})


class StatementEntrySerializer(serializers.Serializer[object]):
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {column.name: deepcopy(column.field) for column in API_COLUMNS}


class StatementSerializer(PageSerializer):
    results = StatementEntrySerializer(many=True)


class StatementParameters(PageQuery):
    account = serializers.ChoiceField(choices=tuple(API_ACCOUNTS), default="chips")


class StatementView(ApiView):
    """The entries of one account, newest first. New entries do not shift older pages."""

    @extend_schema(
        operation_id="statement", parameters=[StatementParameters], responses=StatementSerializer
    )
    def get(self, request: Request) -> Response:
        chosen = read_input(StatementParameters, request.query_params)
        query = StatementQuery(account=API_ACCOUNTS[chosen["account"]], before=chosen.get("cursor"))
        page = query.lines(get_player(request).pk)
        lines = [{column.name: column.value(line) for column in API_COLUMNS} for line in page.lines]
        return Response({"results": lines, "next": page.older})


class LimitSerializer(serializers.Serializer[object]):
    period = serializers.ChoiceField(choices=LimitPeriod.values)
    amount = serializers.IntegerField(allow_null=True, help_text="paise; null: no limit")
    coming = serializers.IntegerField(allow_null=True, help_text="what replaces it")
    coming_from = serializers.DateTimeField(allow_null=True, help_text="null: nothing does")
    used = serializers.IntegerField(
        allow_null=True, help_text="paise lost or at stake within the period; of losses alone"
    )


class ExclusionSerializer(serializers.Serializer[object]):
    until = serializers.DateTimeField(allow_null=True, help_text="null: for good")


class LimitsSerializer(serializers.Serializer[object]):
    deposits = LimitSerializer(many=True, help_text="empty where nothing is played for cash")
    losses = LimitSerializer(many=True, help_text="empty where nothing is played for cash")
    exclusion = ExclusionSerializer(allow_null=True, help_text="null: may play")


class NewLimitSerializer(serializers.Serializer[Any]):
    period = serializers.ChoiceField(choices=LimitPeriod.values)
    amount = serializers.IntegerField(
        min_value=1, max_value=MAX_AMOUNT, allow_null=True, help_text="paise; null: no limit"
    )


class LimitsView(ApiView):
    """The limits that the player has set. Self-exclusion is only available on the page of limits."""

    @extend_schema(operation_id="limits", responses=LimitsSerializer)
    def get(self, request: Request) -> Response:
        return Response(_list_limits(get_player(request).pk))


class DepositLimitView(ApiView):
    """Set a deposit limit. A lower limit takes effect at once; a higher one, or none, takes effect after 72 hours."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="limit_deposits",
        request=NewLimitSerializer,
        responses=LimitsSerializer,
        extensions=refuses(CASH_IS_OFF),
    )
    def post(self, request: Request) -> Response:
        return _set(request, set_deposit_limit)


class LossLimitView(ApiView):
    """Set a loss limit. A lower limit takes effect at once; a higher one, or none, takes effect after 72 hours."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="limit_losses",
        request=NewLimitSerializer,
        responses=LimitsSerializer,
        extensions=refuses(CASH_IS_OFF),
    )
    def post(self, request: Request) -> Response:
        return _set(request, set_loss_limit)


def _set(request: Request, set_limit: Callable[..., DepositLimit | LossLimit]) -> Response:
    require_cash()
    user_id, chosen = get_player(request).pk, read_input(NewLimitSerializer, request.data)
    set_limit(user_id=user_id, period=LimitPeriod(chosen["period"]), amount=chosen["amount"])
    return Response(_list_limits(user_id))


def _list_limits(user_id: int) -> dict[str, Any]:
    own = get_own_limits(user_id, at=timezone.now())
    return {
        "deposits": [_limit(state, used=None) for state in own.deposits],
        "losses": [_limit(state, used=max(0, own.lost[state.period])) for state in own.losses],
        "exclusion": own.exclusion and {"until": own.exclusion.until},
    }


def _limit(state: LimitState, *, used: int | None) -> dict[str, Any]:
    return {
        "period": state.period,
        "amount": state.amount,
        "coming": state.coming,
        "coming_from": state.coming_from,
        "used": used,
    }
