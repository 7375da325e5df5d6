"""Every module that defines a kind of mail: whoever imports this knows them all."""

import wallet.deposits.emails
import wallet.withdrawals.emails  # noqa: F401 - each fills the registry
