"""What keeps one person with many accounts from gaining by them (docs/fair-play.md)."""

from config.settings import env

# Accounts that get welcome chips: of one browser in 30 days, and of one address a day (beyond them
# with a confirmed email address). An address of IPv4 may be that of a whole carrier's telephones.
WELCOMES_OF_A_DEVICE = env.number("WELCOMES_OF_A_DEVICE", 5)
WELCOMES_OF_AN_ADDRESS = env.number("WELCOMES_OF_AN_ADDRESS", 50)
# Accounts that take practice chips on one day.
RELOADS_OF_A_DEVICE = env.number("RELOADS_OF_A_DEVICE", 3)
RELOADS_OF_AN_ADDRESS = env.number("RELOADS_OF_AN_ADDRESS", 150)
# What one player may win of another on one day before they sit together no more; all accounts of
# one browser or address count as one player. 0: as much as they like.
CHIPS_BETWEEN_TWO_A_DAY = env.number("CHIPS_BETWEEN_TWO_A_DAY", 20_000)
# At tables for cash with three seats and more.
CASH_ONE_ACCOUNT_PER_ADDRESS = env.flag("CASH_ONE_ACCOUNT_PER_ADDRESS", default=True)
