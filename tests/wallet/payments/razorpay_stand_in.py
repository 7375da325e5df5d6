"""A server on 127.0.0.1 that stands in for Razorpay's HTTP API: payment links, refunds, payouts, webhooks.

It remembers what it has done. A repeated idempotency key gets the same answer, and is refused with another body, as
Razorpay documents. `faults` holds the outcomes of the next requests, one for each:

* an HTTP status: the request is not done, and is answered with this status
* LOST: the request is done, and the connection ends without an answer
* SLOW: the request is done, and the answer comes after the caller has given up
* a function: the request is done, and the function is called instead of answering
"""

import base64
import hashlib
import hmac
import itertools
import json
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import requests

from tests.stand_in import Handler, run_server

LOST, SLOW = "LOST", "SLOW"
SLOW_SECONDS = 2.5
KEY_ID, KEY_SECRET = "rzp_test_key", "a-secret-of-keys"
ACCOUNT_NUMBER = "7878780080316316"
SECRETS = ("of-payments", "of-payouts")


class Razorpay:
    def __init__(self):
        self.address = ""
        self.faults: deque[object] = deque()
        self.links, self.refunds, self.payouts = {}, {}, {}
        # Requests by idempotency key: the body, and the object made from it.
        self._made = {}
        # Requests that are always declined: a part of the path, and Razorpay's reason.
        self.declined = {}
        self.asked = []
        self._numbers = itertools.count(1)
        self._one_at_a_time = threading.Lock()

    @property
    def options(self):
        return {
            "RAZORPAY_KEY_ID": KEY_ID,
            "RAZORPAY_KEY_SECRET": KEY_SECRET,
            "RAZORPAY_WEBHOOK_SECRET": ",".join(SECRETS),
            "RAZORPAY_ACCOUNT_NUMBER": ACCOUNT_NUMBER,
            "RAZORPAY_URL": self.address,
            "RAZORPAY_PAGES": self.address,
            "RAZORPAY_RETURN_ADDRESS": "https://play.example.com/",
        }

    def number(self, prefix):
        return f"{prefix}_{next(self._numbers):014d}"

    def answer(self, path, headers, body):
        """Return the HTTP status and the JSON of the answer to a request."""
        keys = base64.b64encode(f"{KEY_ID}:{KEY_SECRET}".encode()).decode()
        if headers.get("Authorization") != f"Basic {keys}":
            return 401, error("BAD_REQUEST_ERROR", "Authentication failed")
        for part, reason in self.declined.items():
            if part in path:
                return 400, error("BAD_REQUEST_ERROR", reason, reason=reason)
        with self._one_at_a_time:
            if path == "/v1/payment_links":
                return self._link(body)
            if path == "/v1/payouts":
                return self._answer_once(headers.get("X-Payout-Idempotency"), body, self._payout)
            _, _, kind, payment_id, act = path.split("/")
            assert (kind, act) == ("payments", "refund")
            made = lambda wanted: self._refund(payment_id, wanted)  # noqa: E731
            return self._answer_once(headers.get("X-Refund-Idempotency"), body, made)

    def _answer_once(self, key, body, make):
        if key is None or not 10 <= len(key) <= 36:
            return 400, error("BAD_REQUEST_ERROR", "The idempotency key is invalid")
        if key in self._made:
            earlier, answer = self._made[key]
            if earlier != body:
                return 400, error("BAD_REQUEST_ERROR", "Different request with the same key")
            return 200, answer
        answer = make(body)
        self._made[key] = (body, answer)
        return 200, answer

    def _link(self, body):
        if body["reference_id"] in self.links or body["expire_by"] < time.time() + 900:
            return 400, error("BAD_REQUEST_ERROR", "reference_id or expire_by is invalid")
        link = {**body, "id": self.number("plink"), "status": "created"}
        link["short_url"] = f"{self.address}/i/{link['id']}"
        self.links[body["reference_id"]] = link
        return 200, link

    def _refund(self, payment_id, body):
        refund = {**body, "id": self.number("rfnd"), "status": "processed"}
        refund["payment_id"] = payment_id
        self.refunds[refund["id"]] = refund
        return refund

    def _payout(self, body):
        assert body["account_number"] == ACCOUNT_NUMBER
        payout = {**body, "id": self.number("pout"), "status": "processing"}
        self.payouts[payout["id"]] = payout
        return payout

    # --- What it reports --------------------------------------------------------------------------

    def pay_link(self, reference, **payment):
        """Pay a payment link. Return the event that reports it."""
        link = self.links[reference]
        usual = {"id": self.number("pay"), "amount": link["amount"], "currency": "INR"}
        entity = {**usual, "status": "captured", **payment}
        payload = {"payment_link": {"entity": link}, "payment": {"entity": entity}}
        return event("payment_link.paid", payload)

    def over(self, reference, how="expired"):
        return event(f"payment_link.{how}", {"payment_link": {"entity": self.links[reference]}})

    def dispute(self, how, payment_id="pay_1", amount=25_000, number="disp_1", **changes):
        entity = {
            "id": number, "entity": "dispute", "payment_id": payment_id, "amount": amount,
            "currency": "INR", "amount_deducted": 0, "reason_code": "goods_not_received",
            "respond_by": 1_796_000_000, "status": "open", "phase": "chargeback", **changes,
        }  # fmt: skip
        payment = {"id": payment_id, "amount": amount, "email": "asha@example.com", "vpa": "a@upi"}
        payload = {"payment": {"entity": payment}, "dispute": {"entity": entity}}
        return event(f"payment.dispute.{how}", payload)

    def of_refund(self, how, *, payment_id="pay_1", amount=25_000, number="rfnd_1", **changes):
        entity = {
            "id": number, "entity": "refund", "payment_id": payment_id, "amount": amount,
            "currency": "INR", "receipt": None, "status": how, **changes,
        }  # fmt: skip
        payment = {"id": payment_id, "amount": amount, "captured": True}
        payload = {"refund": {"entity": entity}, "payment": {"entity": payment}}
        return event(f"refund.{how}", payload)

    def of_payout(self, payout_id, how="processed", **changes):
        entity = {**self.payouts[payout_id], "status": how, **changes}
        return event(f"payout.{how}", {"payout": {"entity": entity}})


def event(name, payload):
    return json.dumps(
        {"entity": "event", "event": name, "payload": payload, "created_at": int(time.time())}
    ).encode()


def error(code, description, reason="NA"):
    return {"error": {"code": code, "description": description, "reason": reason}}


def signature(body, secret=SECRETS[0]):
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def report(site, body, *, event_id="evt_1", secret=SECRETS[0], signed=None):
    """POST an event to the site as Razorpay does. Return the status and the effect."""
    headers = {
        "Content-Type": "application/json",
        "X-Razorpay-Signature": signed or signature(body, secret),
        "X-Razorpay-Event-Id": event_id,
    }
    address = f"{site}/wallet/webhooks/razorpay/"
    answer = requests.post(address, data=body, headers=headers, timeout=10)
    told = answer.json() if answer.headers["Content-Type"] == "application/json" else {}
    return answer.status_code, told.get("effect") or told.get("code")


class _Requests(Handler):
    razorpay: Razorpay

    def respond(self):
        body = json.loads(self.read_body())
        self.razorpay.asked.append((self.path, body))
        fault = self.razorpay.faults.popleft() if self.razorpay.faults else None
        if isinstance(fault, int):
            self._say(fault, error("SERVER_ERROR", "We are facing some trouble"))
            return
        status, answer = self.razorpay.answer(self.path, self.headers, body)
        if fault == LOST:
            self.close_connection = True
        elif callable(fault):
            fault()
        else:
            time.sleep(SLOW_SECONDS if fault == SLOW else 0)
            self._say(status, answer)

    def _say(self, status, answer):
        try:
            self.answer_json(status, answer)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the caller has given up


@contextmanager
def razorpay_answers() -> Iterator[Razorpay]:
    razorpay = Razorpay()
    handler = type("Handler", (_Requests,), {"razorpay": razorpay})
    with run_server(handler) as razorpay.address:
        yield razorpay
