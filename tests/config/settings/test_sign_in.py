import pytest
from django.core.exceptions import ImproperlyConfigured

from config.settings.sign_in import list_origins, read_providers


def test_no_sign_in_provider_is_offered_without_variables():
    assert read_providers() == {}
    assert list_origins({}) == []


def test_providers_are_configured_by_variables(monkeypatch):
    monkeypatch.setenv("GOOGLE_CLIENT_ID", "id")
    monkeypatch.setenv("GOOGLE_CLIENT_SECRET", "secret")
    for part in ("CLIENT_ID", "KEY_ID", "TEAM_ID", "KEY"):
        monkeypatch.setenv(f"APPLE_{part}", part.lower())
    monkeypatch.setenv("OIDC_NAME", "Club")
    monkeypatch.setenv("OIDC_SERVER", "https://id.club.example/realms/club")
    monkeypatch.setenv("OIDC_CLIENT_ID", "id")
    monkeypatch.setenv("OIDC_CLIENT_SECRET", "secret")
    offered = read_providers()
    assert set(offered) == {"google", "apple", "openid_connect"}
    assert offered["google"]["APPS"] == [{"client_id": "id", "secret": "secret"}]
    [apple] = offered["apple"]["APPS"]
    assert apple.pop("settings") == {"certificate_key": "key"}
    assert apple == {"client_id": "client_id", "secret": "key_id", "key": "team_id"}
    assert list_origins(offered) == [
        "https://accounts.google.com", "https://appleid.apple.com", "https://id.club.example",
    ]  # fmt: skip


def test_an_incomplete_provider_stops_the_start(monkeypatch):
    monkeypatch.setenv("GOOGLE_CLIENT_ID", "id")
    with pytest.raises(ImproperlyConfigured, match="GOOGLE_CLIENT_SECRET must be set as well"):
        read_providers()
