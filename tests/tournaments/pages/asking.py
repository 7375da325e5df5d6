"""Asking for the page of a tournament."""

import re


def page(client, tournament, *, htmx=False, **asked):
    headers = {"HTTP_HX_REQUEST": "true"} if htmx else {}
    answer = client.get(f"/tournaments/{tournament.pk}/", asked, **headers)
    assert answer.status_code == 200
    return answer.content.decode()


def read_region(client, tournament, region):
    found = re.search(rf'data-region="{region}"[^>]*>(.*?)</p>', page(client, tournament), re.S)
    return "" if found is None else " ".join(re.sub("<[^>]+>", " ", found[1]).split())
