"""The answer to a form that saves each choice as it is made (static/js/settings.js)."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _


def answer_saved(
    request: HttpRequest, page: str, *, refused: str | Promise = "", saved: str | Promise = ""
) -> HttpResponse:
    """Answer that the choice is saved, or why it is not.

    A script shows that beside the field. Without one, the browser comes back to the page, named by its URL, and
    reads `saved` there.
    """
    if request.headers.get("Accept") == "application/json":
        if refused:
            return JsonResponse({"error": str(refused)}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, str(saved or _("Your choice is kept.")))
    return redirect(page)
