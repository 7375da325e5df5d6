from django.db.models import QuerySet

from wallet.ledger.chart import AccountRef
from wallet.models import (
    LedgerAccount,
)


def account_rows(ref: AccountRef) -> QuerySet[LedgerAccount]:
    return LedgerAccount.objects.filter(
        kind=ref.kind, owner_id=ref.owner_id, currency=ref.currency, shard=ref.shard
    )
