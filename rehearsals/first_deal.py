"""A program that plays a guest's first deal at a machine's site in a browser until it is won, and registers the guest.

It prints the errors of the browser's console. It runs in a process of its own, because the tests whose code it uses
need Django's settings before anything else.
"""

import json
import os
import re

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")

import django

django.setup()

from rehearsals.site import ADDRESS, browser, visitor  # noqa: E402 - the settings come first
from tests.e2e.coached import play_by_the_coach  # noqa: E402
from tests.e2e.seated import PATIENCE  # noqa: E402
from tests.e2e.test_guest import Presses, register  # noqa: E402


def play() -> list[str]:
    with browser() as opened, visitor(opened) as (page, errors):
        page.goto(ADDRESS)
        page.get_by_role("button", name="Play a first deal").click()
        page.wait_for_url(re.compile(r"/tables/\d+/"))
        play_by_the_coach(page)
        page.locator('[data-advice="won"]').wait_for(timeout=PATIENCE)
        page.get_by_role("link", name="Keep your chips: register").click()
        register(page, Presses())
        page.wait_for_url(re.compile(r"/welcome/$"))
        return errors


print(json.dumps(play()))
