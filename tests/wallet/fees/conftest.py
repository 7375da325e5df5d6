from datetime import timedelta

import pytest

from tests.wallet.fees.schedules import PAST, schedule


@pytest.fixture
def running(db):
    """A fee of points rummy at every stake, in force for a long time."""
    return schedule(valid_from=PAST, valid_until=None, stake_from=0, stake_to=None)


@pytest.fixture
def over(db):
    """A fee of pool rummy that was in force for one day."""
    return schedule(format="POOL", valid_from=PAST, valid_until=PAST + timedelta(1))
