"""The table page in two languages. Watchers of both share one view."""

import pytest
from django.utils.translation import override

from tables.live import delayed_view
from tables.models import Table
from tables.play.reading import snapshot
from tests.given import require
from tests.tables.driving import seat_all

pytestmark = pytest.mark.django_db
TITLES = {"en": "Points", "hi": "पॉइंट्स"}


@pytest.fixture(autouse=True)
def shared(settings):
    settings.SPECTATOR_DELAY_SECONDS = 15
    with override(settings.LANGUAGE_CODE):  # in a test, a request's language stays active after it
        yield


@pytest.mark.parametrize("languages", [("en", "hi"), ("hi", "en")])
def test_watchers_share_a_view_and_each_reads_their_own_words(
    client, make_table, monkeypatch, languages
):
    monkeypatch.setattr(delayed_view, "SECONDS_SHARED", 3_600)
    table = make_table()
    # Only an invitation's page has a link preview.
    Table.objects.filter(pk=table.pk).update(invite_code="peepal")
    address, began = f"/tables/{table.pk}/?invite=peepal", []
    for language in languages:
        answer = client.get(address, headers={"Accept-Language": language})
        assert answer.context["table"]["title"] == TITLES[language]
        assert TITLES[language] in answer.text.split("og:title")[1].split(">")[0]
        assert answer.context["snapshot"]["state"]["table"]["title"] == "Points"
        reading = require(delayed_view.get_last_reading(table.pk))
        began.append(reading.began_at)
    assert began[0] == began[1]


def test_a_player_is_sent_the_same_state_in_every_language(client, make_table, make_player):
    table, player = make_table(), make_player()
    seat_all(table, player, make_player())
    client.force_login(player)
    views = []
    for language in TITLES:
        type(player).objects.filter(pk=player.pk).update(language=language)
        answer = client.get(f"/tables/{table.pk}/", headers={"Accept-Language": language})
        views.append(answer.context["snapshot"]["state"])
    assert views[0] == views[1]
    assert views[0] == require(snapshot(table_id=table.pk, user_id=player.pk)).state
