"""A push service on a real port, and a browser's side of its messages."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from accounts.models import User
from accounts.push.services import BrowserSubscription, subscribe
from accounts.push.web_push import (
    derive_keys,
    encode_public_key,
    from_text,
    make_private_key,
    parse_private_key,
    to_text,
)
from tests.stand_in import Handler, run_server


def decrypt(body: bytes, key: ec.EllipticCurvePrivateKey, auth: str) -> bytes:
    """Decrypt a message of one record as a browser does (RFC 8188 and 8291)."""
    salt, length = body[:16], body[20]
    point, sealed = body[21 : 21 + length], body[21 + length :]
    sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    secret, nonce = derive_keys(
        shared=key.exchange(ec.ECDH(), sender),
        secret=from_text(auth),
        points=encode_public_key(key.public_key()) + point,
        salt=salt,
    )
    text = AESGCM(secret).decrypt(nonce, sealed, None)
    assert text.endswith(b"\x02")
    return text[:-1]


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """A push service that keeps every message and answers it with `status`."""

    address: str
    status: int = 201
    received: list[Received] = field(default_factory=list)


@dataclass
class Device:
    """A browser with a subscription at the service."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: parse_private_key(make_private_key())
    )
    auth: str = "BTBZMqHH6r4Tts7J_aSIgg"

    @property
    def p256dh(self) -> str:
        return to_text(encode_public_key(self.key.public_key()))

    def subscription(self) -> dict[str, object]:
        """Return a subscription as `PushSubscription.toJSON()` gives it."""
        keys = {"p256dh": self.p256dh, "auth": self.auth}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def sent(self, **given: str) -> BrowserSubscription:
        return BrowserSubscription(
            endpoint=self.endpoint, p256dh=self.p256dh, auth=self.auth, **given
        )

    def read(self, received: Received) -> bytes:
        return decrypt(received.body, self.key, self.auth)


def subscribe_device(service: PushService, user: User) -> Device:
    """Subscribe a new device for the player, and return it."""
    device = Device(f"{service.address}/send/{user.pk}")
    subscribe(user=user, browser=device.sent())
    return device


@contextmanager
def push_service() -> Iterator[PushService]:
    service = PushService("")

    class Messages(Handler):
        def respond(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.received.append(Received(self.path, headers, self.read_body()))
            self.answer(service.status, Location=f"{service.address}/elsewhere")

    with run_server(Messages) as service.address:
        yield service
