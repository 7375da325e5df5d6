"""What a load balancer asks."""

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from wallet.selectors import ledger_is_sound


def alive(request: HttpRequest) -> HttpResponse:
    """200 "ok"; 503 with one word where nobody should be sent to: "database" does not answer, or
    the last check of the "ledger" found something. Reads one row."""
    try:
        wrong = "" if ledger_is_sound() else "ledger"
    except DatabaseError:
        wrong = "database"
    return HttpResponse(wrong or "ok", status=503 if wrong else 200, content_type="text/plain")
