"""Two pages: one for the number, one for the code that was sent to it."""

from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login
from allauth.socialaccount.providers.base import AuthProcess
from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.phone.codes import get_pending_code, read_number, send_code, take_code
from accounts.phone.provider import PhoneProvider
from accounts.sessions.proof import record_proof
from core.refusals import Refusal
from core.sms import sms_is_on


class NumberForm(forms.Form):
    number = forms.CharField(
        label=_("Phone number"),
        max_length=30,
        help_text=_("We will send a code to it by text message."),
        widget=forms.TextInput(
            attrs={"type": "tel", "autocomplete": "tel", "inputmode": "tel", "autofocus": True}
        ),
    )

    def clean_number(self) -> str:
        try:
            return read_number(self.cleaned_data["number"])
        except Refusal as refusal:
            raise ValidationError(str(refusal)) from refusal


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=30,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
        ),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_number(request: HttpRequest) -> HttpResponse:
    """Ask for a number and send a code to it. The parameters `process` and `next` are allauth's."""
    if not sms_is_on():
        raise Http404
    # The button that leads here posts a form without a number.
    form = NumberForm(request.POST if "number" in request.POST else None)
    if form.is_valid():
        try:
            send_code(
                request,
                form.cleaned_data["number"],
                process=request.GET.get("process", AuthProcess.LOGIN),
                next=get_next_redirect_url(request) or "",
            )
        except Refusal as refusal:
            form.add_error("number", str(refusal))
        else:
            return redirect("phone_code")
    return render(request, "socialaccount/phone.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponseBase:
    """Check the code, then continue as after a sign-in with another site."""
    waiting = get_pending_code(request.session)
    if waiting is None:
        return redirect("phone_login")
    form = CodeForm(request.POST or None)
    if form.is_valid():
        try:
            state = take_code(request.session, form.cleaned_data["code"])
        except Refusal as refusal:
            form.add_error("code", str(refusal))
        else:
            if "reader" in state:  # the code came by e-mail
                if state["reader"] == request.user.pk:
                    record_proof(request)
                return redirect(state["next"])
            provider: PhoneProvider = get_adapter().get_provider(request, PhoneProvider.id)
            login = provider.sociallogin_from_response(request, {"number": state["number"]})
            login.state = {"process": state["process"], "next": state["next"]}
            answer: HttpResponseBase = complete_social_login(request, login)
            return answer
    return render(request, "socialaccount/phone_code.html", {"form": form, "waiting": waiting})
