"""Web push messages that only one browser can read (RFC 8291), sent by a server that identifies itself (RFC 8292).

Independent of Django. Keys and secrets are base64url text without padding, as browsers write them.
"""

import base64
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

# A push service accepts 4,096 bytes; encryption adds 103 to the text.
LONGEST_MESSAGE = 3_000
RECORD_BYTES = 4_096
SALT_BYTES = 16
POINT_BYTES = 65
SECRET_BYTES = 16
_CURVE = ec.SECP256R1()
_HALF_SIGNATURE = 32
_TOKEN_SECONDS = 12 * 3_600


def to_text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    """Decode a key or secret of a subscription. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def make_private_key() -> str:
    number = ec.generate_private_key(_CURVE).private_numbers().private_value
    return to_text(number.to_bytes(_HALF_SIGNATURE, "big"))


def load_private_key(file: Path) -> str:
    """Return the key in this file. Creates the file if it is missing.

    The key must not change, because browsers have subscribed with it.
    """
    if not file.exists():
        written = file.with_suffix(".new")
        written.touch(mode=0o600)
        written.write_text(make_private_key())
        written.replace(file)
    return file.read_text()


def parse_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(from_text(text), "big"), _CURVE)


def encode_public_key(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass(frozen=True)
class Reader:
    """The browser's public key and secret, from its subscription. Raises ValueError."""

    p256dh: str
    auth: str

    def __post_init__(self) -> None:
        if len(from_text(self.auth)) != SECRET_BYTES:
            raise ValueError("The secret of a subscription has 16 bytes.")
        _ = self.key

    @cached_property
    def key(self) -> ec.EllipticCurvePublicKey:
        return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, from_text(self.p256dh))


def encrypt(message: bytes, reader: Reader) -> bytes:
    """Return the body of the request to the push service (`Content-Encoding: aes128gcm`)."""
    return encrypt_with(message, reader, ec.generate_private_key(_CURVE), os.urandom(SALT_BYTES))


def encrypt_with(
    message: bytes, reader: Reader, own_key: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Encrypt like `encrypt`, but with this key and salt. Never use them for a second message."""
    if len(message) > LONGEST_MESSAGE:
        raise ValueError(f"A message has at most {LONGEST_MESSAGE} bytes.")
    own_point, their_point = encode_public_key(own_key.public_key()), encode_public_key(reader.key)
    key, nonce = derive_keys(
        shared=own_key.exchange(ec.ECDH(), reader.key),
        secret=from_text(reader.auth),
        points=their_point + own_point,
        salt=salt,
    )
    header = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([POINT_BYTES]) + own_point
    # The byte 2 marks the last record.
    return header + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def derive_keys(*, shared: bytes, secret: bytes, points: bytes, salt: bytes) -> tuple[bytes, bytes]:
    """Derive the key and the nonce. `points` are the reader's public key, then the sender's."""
    material = _derive(shared, secret, b"WebPush: info\x00" + points, 32)
    key = _derive(material, salt, b"Content-Encoding: aes128gcm\x00", 16)
    return key, _derive(material, salt, b"Content-Encoding: nonce\x00", 12)


def _derive(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)


def build_authorization(*, endpoint: str, key: str, contact: str, now: int) -> Mapping[str, str]:
    """Return the header that identifies the sender to the push service, valid for twelve hours from `now` (seconds)."""
    parts = urlsplit(endpoint)
    signer = parse_private_key(key)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": now + _TOKEN_SECONDS,
        "sub": contact,
    }
    token = jwt.encode(claims, signer, algorithm="ES256")
    point = to_text(encode_public_key(signer.public_key()))
    return {"Authorization": f"vapid t={token}, k={point}"}
