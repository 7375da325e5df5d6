"""Host names as browsers write them. Expected values are from `new URL(…)` in Chromium and Node.js."""

import pytest

from core.values.hosts import to_ascii_host, to_ascii_url


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        ("COACH.example", "coach.example"),
        ("münchen.example", "xn--mnchen-3ya.example"),
        # Python's IDNA 2003 codec gives fass.example, which is another site.
        ("faß.example", "xn--fa-hia.example"),
        ("κλαρα-σωλις.example", "xn----ylba7abgd9bnh0e.example"),
        # A joiner within a Hindi word is significant.
        ("क्‍ष.example", "xn--11b2ezcw70k.example"),
        ("पहेली.भारत", "xn--n2bqu3a7a.xn--h2brj9c"),
        ("coach。example", "coach.example"),
        ("i❤.ws", "xn--i-7iq.ws"),
        ("a_b.example", "a_b.example"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
    ],
)
def test_a_host_is_the_one_that_browsers_go_to(typed, host):
    assert to_ascii_host(typed) == host


@pytest.mark.parametrize(
    "typed", ["", "exa mple.com", "coach.example;x", "a..b", "x" * 64, "é" * 60, "1::2::3"]
)
def test_what_is_no_host_is_refused(typed):
    with pytest.raises(ValueError, match=r"no host|not allowed|[Aa]t most"):
        to_ascii_host(typed)


def test_an_address_is_written_in_ascii_without_its_password():
    url = to_ascii_url("https://user:pass@faß.example:8443/é/खेल?क=%20a")
    path = "%C3%A9/%E0%A4%96%E0%A5%87%E0%A4%B2?%E0%A4%95=%20a"
    assert url == f"https://xn--fa-hia.example:8443/{path}"
