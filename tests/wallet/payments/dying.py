"""A process that handles a provider's report, or collects missing ones, and is killed next to its commit.

`python -m tests.wallet.payments.dying report before|after` reads the report's body from the standard input;
`collect before|after` needs none. The process is killed before the first commit that changes something, or right
after it, before anything else happens: no notice is sent, and the provider gets no answer.
"""

import os
import signal
import sys
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402 - needs the settings
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from tests.wallet.payments.razorpay_stand_in import signature  # noqa: E402
from wallet.payments.cases import collect_due  # noqa: E402

what, when = sys.argv[1:]
database: Any = connection
commit = database._commit
has_changed: list[str] = []


def watch(execute, sql, params, many, context):
    if sql.startswith(("INSERT", "UPDATE")):
        has_changed.append(sql)
    return execute(sql, params, many, context)


def commit_and_die():
    if not has_changed or when == "after":
        commit()
    if has_changed:
        os.kill(os.getpid(), signal.SIGKILL)


database._commit = commit_and_die
with connection.execute_wrapper(watch):
    if what == "report":
        body = sys.stdin.buffer.read()
        Client(headers={"host": "127.0.0.1"}).post(
            "/wallet/webhooks/razorpay/",
            body,
            content_type="application/json",
            headers={"X-Razorpay-Signature": signature(body), "X-Razorpay-Event-Id": "e1"},
        )
    else:
        collect_due(now=timezone.now())
