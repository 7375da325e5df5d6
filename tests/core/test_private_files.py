"""Identity documents in object storage: boto3 against an S3 server that the test runs."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.storage import storages

from config.settings.private_storage import private_storage
from core import private_files
from tests.stand_in import Handler, run_server


class Bucket(Handler):
    """A server of one bucket, `documents`. It records its requests."""

    objects: dict[str, bytes] = {}
    asked: list[tuple[str, str, dict[str, str]]] = []

    def respond(self):
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.asked.append((self.command, self.path, headers))
        if self.command == "PUT":
            self.objects[self.path] = self.read_body()
            self.answer(200)
        elif self.command == "DELETE":
            self.objects.pop(self.path, None)
            self.answer(204)
        else:
            content = self.objects.get(self.path)
            self.answer(404 if content is None else 200, content or b"")


@pytest.fixture
def bucket(monkeypatch, settings, tmp_path):
    Bucket.objects, Bucket.asked = {}, []
    with run_server(Bucket) as address:
        given = {"BUCKET": "documents", "ENDPOINT": address, "REGION": "eu-1"}
        given |= {"ACCESS_KEY": "key", "SECRET_KEY": "secret"}
        for name, value in given.items():
            monkeypatch.setenv(f"DOCUMENTS_{name}", value)
        settings.STORAGES = {**settings.STORAGES, "private": private_storage(tmp_path)}
        yield Bucket


def test_a_document_in_the_bucket_is_private(bucket):
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


def test_a_document_url_is_signed_and_expires_within_a_minute(bucket):
    query = parse_qs(urlsplit(storages["private"].url("identity/x.png")).query)
    assert query["X-Amz-Expires"] == ["60"]
    assert "X-Amz-Signature" in query


def test_without_a_bucket_documents_are_in_a_folder_of_one_owner(monkeypatch, tmp_path):
    monkeypatch.delenv("DOCUMENTS_BUCKET", raising=False)
    options = private_storage(tmp_path)["OPTIONS"]
    assert options["location"] == str(tmp_path)
    assert options["file_permissions_mode"] == 0o600
    assert options["directory_permissions_mode"] == 0o700
