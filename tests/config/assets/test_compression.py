"""Pages are sent compressed, and their length reveals nothing about their content."""

import gzip

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_page_is_compressed_for_browsers_that_accept_it():
    plain = Client().get("/accounts/login/")
    packed = Client().get("/accounts/login/", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert b"<form" in gzip.decompress(packed.content)
    assert len(packed.content) < len(plain.content) / 2


def test_the_compressed_length_of_a_page_varies():
    client = Client(headers={"Accept-Encoding": "gzip"})
    assert len({len(client.get("/rules/").content) for _ in range(12)}) > 1
