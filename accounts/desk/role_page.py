"""The page on which staff grant roles to a player or take them away."""

from functools import partial

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.desk.person_page import render_tool
from accounts.models import User
from core.administration.audit import build_staff, record_act
from core.administration.pages import LONGEST_REASON

MAY_GIVE_ROLES = "accounts.change_user"


class RolesForm(forms.Form):
    groups = forms.ModelMultipleChoiceField(
        Group.objects.order_by("name"),
        label=gettext_lazy("Roles"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Without a role, this is only a player's account."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("Why you are doing this. It is kept in the audit log."),
    )


def role_urls(site: AdminSite) -> list[URLPattern]:
    page = site.admin_view(partial(roles_page, site=site))
    return [path("accounts/user/<int:user_id>/roles/", page, name="player_roles")]


def roles_page(request: HttpRequest, user_id: int, *, site: AdminSite) -> HttpResponse:
    if not request.user.has_perm(MAY_GIVE_ROLES):
        raise PermissionDenied
    player = get_object_or_404(User, pk=user_id, is_bot=False, is_guest=False, closed_at=None)
    form = RolesForm(request.POST or None, initial={"groups": player.groups.all()})
    if form.is_valid():
        groups, reason = form.cleaned_data["groups"], form.cleaned_data["reason"]
        with record_act(by=build_staff(request), obj=player, action="roles", reason=reason):
            player.groups.set(groups)
            is_staff = player.is_superuser or bool(groups)
            User.objects.filter(pk=player.pk).update(is_staff=is_staff)
        roles = ", ".join(group.name for group in groups)
        said = (
            _("%(player)s has these roles now: %(roles)s.")
            if groups
            else _("%(player)s no longer has any role.")
        )
        messages.success(request, said % {"player": player.player_name, "roles": roles})
        return redirect("admin:accounts_user_change", player.pk)
    return render_tool(request, site, player, form=form, context={"title": _("Roles")})
