"""An SMS provider on a real port that implements the part of Twilio's API for sending messages."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from tests.stand_in import Handler, run_server

ACCOUNT, TOKEN = "AC0123", "a-token"


@dataclass
class SmsService:
    """A running provider. It answers with `status`, and `received` holds the fields of accepted messages."""

    address: str = ""
    status: int = 201
    asked: int = 0
    received: list[dict[str, str]] = field(default_factory=list)

    @property
    def options(self) -> dict[str, str]:
        return {"ACCOUNT": ACCOUNT, "TOKEN": TOKEN, "FROM": "+15005550006", "ADDRESS": self.address}


@contextmanager
def sms_service() -> Iterator[SmsService]:
    service = SmsService()

    class Messages(Handler):
        def respond(self) -> None:
            body = self.read_body().decode()
            service.asked += 1
            known = base64.b64encode(f"{ACCOUNT}:{TOKEN}".encode()).decode()
            status = service.status
            if self.headers["Authorization"] != f"Basic {known}":
                status = 401
            elif self.path != f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json":
                status = 404
            if status == 201:
                fields = parse_qs(body)
                service.received.append({name: values[0] for name, values in fields.items()})
            self.answer_json(status, {})

    with run_server(Messages) as service.address:
        yield service
