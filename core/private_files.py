"""Files without a public address. Staff see them through a view that checks a permission."""

import uuid

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages


def private_storage() -> Storage:
    return storages["private"]


def keep(content: bytes, *, folder: str, extension: str) -> str:
    """Store a file and return its key, which reveals nothing about its owner."""
    return private_storage().save(f"{folder}/{uuid.uuid4().hex}.{extension}", ContentFile(content))


def read(name: str) -> bytes:
    """Return a file's content. Raises FileNotFoundError."""
    with private_storage().open(name) as file:
        content: bytes = file.read()
    return content


def forget(name: str) -> None:
    private_storage().delete(name)
