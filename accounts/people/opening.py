"""An account is opened: what is built on accounts hears of it in the same transaction."""

from django.dispatch import Signal

# Sent in the transaction that opens the account, so that what a receiver does stands or falls with
# it: `user_id`, and the player's `request`, None where staff open the account.
account_opened = Signal()
