"""Identity documents in object storage: boto3 against an S3 of this test's own."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.storage import storages

from config.settings.private_storage import private_storage
from core import private_files
from tests.stand_in import serve


class Bucket(BaseHTTPRequestHandler):
    """One bucket, `documents`, by its paths. It keeps what it was asked."""

    objects: dict[str, bytes] = {}
    asked: list[tuple[str, str, dict[str, str]]] = []

    def _note(self):
        self.asked.append(
            (self.command, self.path, {k.lower(): v for k, v in self.headers.items()})
        )

    def do_PUT(self):
        self._note()
        self.objects[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(200)

    def do_GET(self):
        self._note()
        content = self.objects.get(self.path)
        self._answer(404 if content is None else 200, content or b"")

    def do_HEAD(self):
        self.do_GET()

    def do_DELETE(self):
        self._note()
        self.objects.pop(self.path, None)
        self._answer(204)

    def _answer(self, status, content=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_words):
        pass


@pytest.fixture
def bucket(monkeypatch, settings, tmp_path):
    Bucket.objects, Bucket.asked = {}, []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
    given = {"BUCKET": "documents", "ENDPOINT": f"http://127.0.0.1:{server.server_port}",
             "REGION": "eu-1", "ACCESS_KEY": "key", "SECRET_KEY": "secret"}  # fmt: skip
    for name, value in given.items():
        monkeypatch.setenv(f"DOCUMENTS_{name}", value)
    settings.STORAGES = {**settings.STORAGES, "private": private_storage(tmp_path)}
    with serve(server):
        yield Bucket


def test_a_document_lies_in_the_bucket_and_for_nobody_else(bucket):
    name = private_files.keep(b"a passport", folder="identity", extension="png")
    assert private_files.read(name) == b"a passport"
    assert bucket.objects == {f"/documents/{name}": b"a passport"}
    [sent] = [headers for method, _path, headers in bucket.asked if method == "PUT"]
    assert sent["x-amz-acl"] == "private"
    assert sent["cache-control"] == "private, no-store"
    assert all("AWS4-HMAC-SHA256" in headers["authorization"] for _m, _p, headers in bucket.asked)
    private_files.forget(name)
    assert bucket.objects == {}
    with pytest.raises(FileNotFoundError):
        private_files.read(name)


def test_an_address_would_be_signed_and_end_within_a_minute(bucket):
    query = parse_qs(urlsplit(storages["private"].url("identity/x.png")).query)
    assert query["X-Amz-Expires"] == ["60"]
    assert "X-Amz-Signature" in query


def test_without_a_bucket_documents_lie_in_a_folder_of_their_user_alone(monkeypatch, tmp_path):
    monkeypatch.delenv("DOCUMENTS_BUCKET", raising=False)
    options = private_storage(tmp_path)["OPTIONS"]
    assert options["location"] == str(tmp_path)
    assert (options["file_permissions_mode"], options["directory_permissions_mode"]) == (
        0o600,
        0o700,
    )
