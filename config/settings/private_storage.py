"""The storage of identity documents and exports: a folder, or a private bucket of an object storage."""

from pathlib import Path
from typing import Any

from config.settings import env


def private_storage(folder: Path) -> dict[str, Any]:
    """Return Django's settings for the storage `private`: the bucket DOCUMENTS_BUCKET if it is set, else the folder."""
    bucket = env.text("DOCUMENTS_BUCKET")
    if not bucket:
        return {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {
                "location": str(folder),
                "file_permissions_mode": 0o600,
                "directory_permissions_mode": 0o700,
            },
        }
    # Optional (requirements-s3.txt).
    from botocore.config import Config  # type: ignore[import-untyped]  # noqa: PLC0415

    endpoint = env.text("DOCUMENTS_ENDPOINT")
    client = Config(
        signature_version="s3v4",
        s3={"addressing_style": "path" if endpoint else "auto"},
        # A person is waiting for the answer.
        connect_timeout=3,
        read_timeout=10,
        retries={"max_attempts": 2, "mode": "standard"},
        # Leave out request checksums, which only AWS understands.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": bucket,
            "endpoint_url": endpoint or None,
            "region_name": env.text("DOCUMENTS_REGION") or None,
            # Without keys boto3 uses the role of the machine or the pod.
            "access_key": env.text("DOCUMENTS_ACCESS_KEY") or None,
            "secret_key": env.text("DOCUMENTS_SECRET_KEY") or None,
            "default_acl": "private",
            # Addresses, if any code ever asks for one, are signed and expire within a minute.
            "querystring_auth": True,
            "querystring_expire": 60,
            "client_config": client,
            "file_overwrite": False,
            "object_parameters": {"CacheControl": "private, no-store"},
        },
    }
