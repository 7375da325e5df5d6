"""Helpers for tests of the reverse proxies: requests over TLS, and static files that the proxy serves."""

import gzip

SHEET = b"p { margin: 0 }"


def request_over_tls(asked, path, *, method="GET", body=None, headers):
    """Send a request. Return status, body and headers. Write `_` for `-` in the names of `headers`."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    asked.request(method, path, body=body, headers=sent)
    answer = asked.getresponse()
    result = answer.status, answer.read(), dict(answer.getheaders())
    asked.close()
    return result


def lay_out_static(root):
    """Write a style sheet and its gzipped copy, as `collectstatic` does. Return its address."""
    folder = root / "static/css"
    folder.mkdir(parents=True)
    (folder / "page.0a1b.css").write_bytes(SHEET)
    (folder / "page.0a1b.css.gz").write_bytes(gzip.compress(SHEET))
    return "/static/css/page.0a1b.css"


def check_static(ask):
    """Check that the style sheet is served with its headers, and gzipped for clients that accept it."""
    status, body, headers = ask()
    assert (status, body) == (200, SHEET)
    assert headers["Cache-Control"] == "public, max-age=315360000, immutable"
    assert headers["Content-Type"].startswith("text/css")
    assert headers["X-Content-Type-Options"] == "nosniff"
    packed = ask(Accept_Encoding="gzip")
    assert packed[2]["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed[1]) == SHEET
