from functools import cache
from http import HTTPStatus
from typing import Any, Final
from xml.etree import ElementTree as ET

from allauth.account import views as allauth_views
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from accounts.faces import FACES
from accounts.models import EMAIL_IS_UNIQUE, NAME_IS_TAKEN, NAME_IS_UNIQUE, User
from accounts.models.users import PlayerRequest
from accounts.people.adapter import AccountAdapter
from accounts.people.first_proof import gets_password_links
from accounts.people.forms import (
    AbsenceNoticeForm,
    FaceForm,
    LookForm,
    QuietForm,
    set_absence_notice,
    set_face,
)
from accounts.people.guests import find_guest, get_own_name
from accounts.people.preferences import CHOICES, get_preferences, set_preferences
from accounts.people.saving import answer_saved
from accounts.push.services import get_public_key, hash_endpoint, list_devices, push_is_on
from accounts.refusals import NoSuchPreference
from core.emails.sending import awaits_confirmation
from core.throttling import Rate, identify_site, take

_SVG = "http://www.w3.org/2000/svg"


def _describe_calls(user: User) -> dict[str, Any]:
    devices = list_devices(user)
    own = " ".join(hash_endpoint(device.endpoint) for device in devices)
    return {"key": get_public_key(), "devices": devices, "own": own}


@login_required
@require_safe
def profile_settings(request: PlayerRequest) -> HttpResponse:
    """Show the first page of the settings: how others see the player."""
    context = {"faces": FACES.items(), "unconfirmed": awaits_confirmation(request.user.pk)}
    return render(request, "accounts/settings.html", context)


@login_required
@require_safe
def appearance_settings(request: PlayerRequest) -> HttpResponse:
    """Show the settings of looks, sounds and help at the table."""
    return render(request, "accounts/look.html", {"form": LookForm(initial=_get_looks(request))})


@login_required
@require_safe
def notice_settings(request: PlayerRequest) -> HttpResponse:
    """Show the settings for notifications, both on pages and while the player is away."""
    context = {
        "calls": _describe_calls(request.user) if push_is_on() else None,
        "absence": AbsenceNoticeForm(initial={"absence_notice": request.user.absence_notice}),
        "quiet": QuietForm(initial=_get_looks(request)),
    }
    return render(request, "accounts/notices.html", context)


def _get_looks(request: PlayerRequest) -> dict[str, str]:
    """Return the player's preferences, with the default of each that was never chosen."""
    usual = {name: values[0] for name, values in CHOICES.items()}
    return {**usual, **get_preferences(request.user)}


@login_required
@require_POST
def choose_absence_notice(request: PlayerRequest) -> HttpResponse:
    """Set how the player is notified that they are still seated."""
    form = AbsenceNoticeForm(request.POST)
    if not form.is_valid():
        return answer_saved(request, "accounts:notices", refused=_("Choose one of the options."))
    set_absence_notice(user_id=request.user.pk, notice=form.cleaned_data["absence_notice"])
    return answer_saved(request, "accounts:notices")


@require_safe
@cache_control(public=True, max_age=86_400)
def face_picture(_request: HttpRequest, code: str) -> HttpResponse:
    """Serve a face as a picture file, for the sites that players sign in to."""
    picture = _face_pictures().get(code)
    if picture is None:
        raise Http404
    return HttpResponse(picture, content_type="image/svg+xml")


@cache
def _face_pictures() -> dict[str, bytes]:
    """Return a picture file for each face, as a mapping from the face's code to the SVG."""
    ET.register_namespace("", _SVG)
    faces = ET.parse(settings.BASE_DIR / "static/img/faces.svg")  # noqa: S314 - our own file
    pictures = {}
    for symbol in faces.iter(f"{{{_SVG}}}symbol"):
        symbol.tag = f"{{{_SVG}}}svg"
        pictures[symbol.attrib.pop("id")] = ET.tostring(symbol)
    return pictures


@login_required
@require_POST
def choose_face(request: PlayerRequest) -> HttpResponse:
    """Set the player's face."""
    form = FaceForm(request.POST)
    if not form.is_valid():
        return answer_saved(request, "accounts:settings", refused=_("Choose one of the faces."))
    set_face(user_id=request.user.pk, face=form.cleaned_data["face"])
    done = _("This is now your face.")
    return answer_saved(request, "accounts:settings", saved=done)


# The pages with a form of preferences, which a browser without scripts sends as `page`.
_PAGES = {"look": "accounts:look", "notices": "accounts:notices"}


@login_required
@require_POST
def choose_preferences(request: PlayerRequest) -> HttpResponse:
    """Store preferences that a page sends by name, such as theme=dark.

    The response is empty, except to a form that names its page.
    """
    chosen = request.POST.dict()
    chosen.pop("csrfmiddlewaretoken", None)
    page = _PAGES.get(chosen.pop("page", ""))
    try:
        set_preferences(user_id=request.user.pk, chosen=chosen)
    except NoSuchPreference as refusal:
        if page is None:
            return HttpResponse(status=HTTPStatus.BAD_REQUEST)
        return answer_saved(request, page, refused=str(refusal))
    if page is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return answer_saved(request, page)


# Accounts of one address, and in how many seconds. A school behind one address registers at once.
ACCOUNTS_OF_AN_ADDRESS: Final = (60, 60)


class PlayerSignupMixin:
    """The parts that all sign-up pages share.

    If two people sign up with the same name or e-mail address at the same moment, the database refuses the second
    sign-up, and the form reports what is taken. To a guest, the form suggests their current name. The number of
    accounts that can be made from one network in a minute is limited.
    """

    request: HttpRequest

    def get_form(self, form_class: Any = None) -> Any:
        form = super().get_form(form_class)  # type: ignore[misc] # of allauth's view
        guest = find_guest(self.request.session)
        if guest is not None:
            form.guest_id = guest
            if name := get_own_name(guest):
                form.initial.setdefault("player_name", name)
        return form

    def form_valid(self, form: Any) -> HttpResponse:
        rate = Rate(f"accounts:{identify_site(self.request)}", *ACCOUNTS_OF_AN_ADDRESS)
        if not take(rate).is_allowed:
            form.add_error(
                None, _("Many accounts come from your network now. Try again in a minute.")
            )
            refused: HttpResponse = self.form_invalid(form)  # type: ignore[attr-defined] # of allauth's view
            return refused
        try:
            answer: HttpResponse = super().form_valid(form)  # type: ignore[misc] # of allauth's view
        except IntegrityError as error:
            constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", "")
            if constraint == NAME_IS_UNIQUE:
                form.add_error("player_name", NAME_IS_TAKEN)
            elif constraint == EMAIL_IS_UNIQUE:
                form.add_error("email", AccountAdapter.error_messages["email_taken"])
            else:
                raise
            answer = self.form_invalid(form)  # type: ignore[attr-defined] # of allauth's view
        return answer


class SignupView(PlayerSignupMixin, allauth_views.SignupView):  # type: ignore[misc] # no types
    """The page for signing up with an e-mail address and a password."""


class ConfirmEmailView(allauth_views.ConfirmEmailView):  # type: ignore[misc] # no types
    """Confirms an address in a session of its account, which shows that the mailbox and the account have one owner.

    Any other browser is asked to sign in or to set a new password. With a new password, the owner of the mailbox
    takes the account over (accounts/people/first_proof.py).
    """

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self._is_own(self.get_object()):
            return redirect(self.request.path)
        answer: HttpResponse = super().post(*args, **kwargs)
        return answer

    def get_template_names(self) -> list[str]:
        if self.object and not self._is_own(self.object):
            return ["accounts/confirm_signed_out.html"]
        return [self.template_name]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        if self.object:
            address = self.object.email_address
            context["can_take_over"] = gets_password_links(address.user, address.email)
        return context

    def _is_own(self, confirmation: Any) -> bool:
        return bool(self.request.user.pk == confirmation.email_address.user_id)


class PasswordResetFromKeyView(allauth_views.PasswordResetFromKeyView):  # type: ignore[misc] # no types
    """Sets a new password and ends earlier access, in one transaction."""

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        return answer
