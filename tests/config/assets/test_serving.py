"""A local run looks static files up when they are requested."""

import pytest
from django.test import Client, override_settings
from servestatic.middleware import ServeStaticMiddleware

from config.assets.static import StaticFiles

FILES = ["/static/css/site.css", "/static/admin/css/base.css", "/static/documents/lobby.png"]


async def _answer(_request):
    raise AssertionError("not asked")


def test_no_static_file_is_read_before_its_first_request():
    served = StaticFiles(_answer)
    assert served.files == {}
    assert served.directories == ServeStaticMiddleware(_answer).directories


def test_all_static_files_are_listed_without_autorefresh():
    with override_settings(SERVESTATIC_AUTOREFRESH=False):
        listed = StaticFiles(_answer).files
    assert {*FILES} <= {*listed}


@pytest.mark.django_db
@pytest.mark.parametrize("path", FILES)
def test_a_file_is_served_from_its_folder(path):
    assert Client().get(path).status_code == 200
    assert Client().get(f"{path}.no").status_code == 404
