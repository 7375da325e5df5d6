"""Files that no address leads to: staff see them through a view that asks for a permission."""

import uuid

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages


def private_storage() -> Storage:
    return storages["private"]


def keep(content: bytes, *, folder: str, extension: str) -> str:
    """The name that it is kept under, which tells nothing about whose it is."""
    return private_storage().save(f"{folder}/{uuid.uuid4().hex}.{extension}", ContentFile(content))


def read(name: str) -> bytes:
    """Raises FileNotFoundError."""
    with private_storage().open(name) as file:
        content: bytes = file.read()
    return content


def forget(name: str) -> None:
    private_storage().delete(name)
