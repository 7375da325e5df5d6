from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.identity.regions.selectors import region_choices, region_of
from accounts.identity.regions.services import state_region
from accounts.refusals import AccountRefusal
from accounts.requests import PlayerRequest
from core.site.content import site


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
    """Ask for the player's region, once, before cash."""
    if not site().asks_region:
        raise Http404
    onward = request.POST.get("next") or request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(onward, {request.get_host()}, request.is_secure()):
        onward = ""
    form = RegionForm(request.POST or None)
    if form.is_valid():
        try:
            state_region(user_id=request.user.pk, region_id=form.cleaned_data["region"])
        except AccountRefusal as refusal:
            messages.error(request, str(refusal))
        return redirect(onward or "accounts:region")
    context = {"form": form, "stated": region_of(request.user.pk), "next": onward}
    return render(request, "accounts/region.html", context)
