"""What a load balancer asks."""

from django.http import HttpRequest, HttpResponse


def alive(request: HttpRequest) -> HttpResponse:
    """This process answers; whether its servers do is another question."""
    return HttpResponse("ok", content_type="text/plain")
