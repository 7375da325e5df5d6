from base64 import b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Prints a new OPENID_PRIVATE_KEY, which vouches for players who sign in to other sites."

    def handle(self, *_args: Any, **_options: Any) -> None:
        key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
        der = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        self.stdout.write(b64encode(der).decode())
