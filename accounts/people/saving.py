"""Responses to forms that save each choice as soon as it is made (static/js/settings.js)."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _


def answer_saved(
    request: HttpRequest, page: str, *, refused: str | Promise = "", saved: str | Promise = ""
) -> HttpResponse:
    """Respond that the choice is saved, or why it was refused.

    A script gets a response that it shows beside the field. Without a script the browser is redirected to `page`, a
    URL name, and the text is shown there as a message.
    """
    if request.headers.get("Accept") == "application/json":
        if refused:
            return JsonResponse({"error": str(refused)}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, str(saved or _("Your choice is saved.")))
    return redirect(page)
