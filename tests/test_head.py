"""Every page answers HEAD as it answers GET, without a body: monitors and link checkers ask so."""

import pytest

from tests.counted_pages import Visitors, everything
from tests.e2e.world import make_world
from tests.more_rows import add_rows

# The ledger is sealed only behind transactions that are over.
pytestmark = pytest.mark.django_db(transaction=True)


def test_every_page_answers_head() -> None:
    world = make_world()
    add_rows(world, 1)
    visitors = Visitors(world)
    answers = {}
    for place in everything(world):
        client = visitors.client_of(place)
        answer = client.head(place.path)
        if answer.status_code != place.status:  # such as the link of a new password, which leads on
            assert answer.status_code == client.get(place.path).status_code, place
        answers[place] = bytes(answer.content)
    assert len(answers) > 150
    assert set(answers.values()) == {b""}
