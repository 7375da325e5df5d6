"""The administration's pages about a ledger account's owner or an event's subject."""

from django.urls import NoReverseMatch, reverse

from wallet.models import AccountKind, LedgerAccount

_OWNERS = {
    AccountKind.PLAYER: "accounts_user",
    AccountKind.WINNINGS: "accounts_user",
    AccountKind.BONUS: "accounts_user",
    AccountKind.SEAT: "tables_seat",
    AccountKind.POT: "tables_match",
    AccountKind.RAKE: "tables_table",
    AccountKind.PRIZE_POOL: "tournaments_tournament",
}
# What an event is about ("match:42"), or what its key begins with.
_SUBJECTS = {
    "table": "tables_table",
    "match": "tables_match",
    "seat": "tables_seat",
    "tournament": "tournaments_tournament",
    "league": "tournaments_league",
    "bonus": "wallet_bonus",
    "deposit": "wallet_deposit",
    "welcome": "accounts_user",
    "player": "accounts_user",
}


def page_of_owner(account: LedgerAccount) -> str:
    """Empty for an account of the house."""
    model = _OWNERS.get(AccountKind(account.kind))
    return reverse(f"admin:{model}_change", args=[account.owner_id]) if model else ""


def page_of_subject(words: str) -> str:
    """Of "match:42" or of a key "match:42:settle"; empty where there is none."""
    kind, _colon, rest = words.partition(":")
    number, model = rest.partition(":")[0], _SUBJECTS.get(kind)
    if model is None or not number.isdigit():
        return ""
    try:
        return reverse(f"admin:{model}_change", args=[int(number)])
    except NoReverseMatch:
        return ""
