from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.identity.forms import IdentityForm
from accounts.identity.regions import find_region, region_choices, state_region
from accounts.identity.rules import mask_number
from accounts.identity.services import (
    get_latest_identity_check,
    identity_is_asked_for,
    submit_identity_check,
)
from accounts.models import IdentityCheck, IdentityDocument
from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from core.site.content import site

Side = IdentityDocument.Side


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def identity(request: PlayerRequest) -> HttpResponse:
    """Show the state of the player's identity check, and the form while one can be submitted."""
    if not identity_is_asked_for():
        raise Http404
    form = IdentityForm(request.POST or None, request.FILES or None)
    if form.is_valid() and _submit(request, form):
        return redirect("accounts:identity")
    check = get_latest_identity_check(request.user.pk)
    may_send = check is None or check.state == IdentityCheck.State.REFUSED
    return render(
        request,
        "accounts/identity.html",
        {
            "check": check,
            "number": mask_number(check.document_number) if check else "",
            "form": form if may_send else None,
        },
    )


def _submit(request: PlayerRequest, form: IdentityForm) -> bool:
    sent = {Side.FRONT: form.cleaned_data["front"], Side.BACK: form.cleaned_data["back"]}
    try:
        submit_identity_check(
            user_id=request.user.pk,
            claim=form.claim(),
            images={side: content for side, content in sent.items() if content},
            today=timezone.localdate(),
        )
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return False
    messages.success(request, _("We have your documents and are checking them."))
    return True


class RegionForm(forms.Form):
    region = forms.TypedChoiceField(label=gettext_lazy("State or territory"), coerce=int)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("Choose one")), *region_choices()]
        self.fields["region"].choices = choices  # type: ignore[attr-defined] # a ChoiceField


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def region(request: PlayerRequest) -> HttpResponse:
    """Ask for the player's region once, before they pay in or play for cash."""
    if not site().asks_region:
        raise Http404
    onward = request.POST.get("next") or request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(onward, {request.get_host()}, request.is_secure()):
        onward = ""
    form = RegionForm(request.POST or None)
    if form.is_valid():
        try:
            state_region(user_id=request.user.pk, region_id=form.cleaned_data["region"])
        except Refusal as refusal:
            messages.error(request, str(refusal))
        return redirect(onward or "accounts:region")
    context = {"form": form, "stated": find_region(request.user.pk), "next": onward}
    return render(request, "accounts/region.html", context)
