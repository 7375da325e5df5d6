import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import oauth2_provider.generators
import oauth2_provider.models
from django.conf import settings
from django.db import migrations, models

import accounts.models.oauth
from core.database.creating_migration import CreatingMigration

# Where another library kept the programs: they stay, and what players granted them ends.
FROM_ANOTHER_LIBRARY = r"""
DO $$ BEGIN
    IF to_regclass('allauth_idp_oidc_client') IS NULL THEN RETURN; END IF;
    INSERT INTO accounts_oauth_client (client_id, name, client_type, client_secret, redirect_uris,
                                       scopes, by_device, created, updated)
    SELECT id, name, type, secret, redirect_uris,
           array_remove(regexp_split_to_array(scopes, '\s+'), ''),
           grant_types LIKE '%device_code%', created_at, now()
      FROM allauth_idp_oidc_client;
    DELETE FROM accounts_apitoken WHERE grant_id IS NOT NULL;
    ALTER TABLE accounts_apitoken DROP COLUMN grant_id;
    DROP TABLE accounts_oauthdevice, accounts_oauthgrant, allauth_idp_oidc_token, allauth_idp_oidc_client;
    DELETE FROM django_migrations WHERE app = 'allauth_idp_oidc';
END $$
"""


class Migration(CreatingMigration):

    dependencies = [
        ('accounts', '0004_phone_in_international_form'),
    ]

    operations = [
        migrations.CreateModel(
            name='OAuthClient',
            fields=[
                ('redirect_uris', models.TextField(blank=True, help_text="One on each line: https://…, http://127.0.0.1/… for programs on a player's own machine, or an app's own scheme, such as com.example.app:/back.", verbose_name='Redirect addresses')),
                ('client_type', models.CharField(choices=[('public', 'in browsers or on devices: keeps no secret, must use PKCE'), ('confidential', 'on a server: has a secret')], default='public', max_length=32, verbose_name='Kind')),
                ('client_secret', oauth2_provider.models.ClientSecretField(blank=True, db_index=True, default=oauth2_provider.generators.generate_client_secret, help_text='Client secret for authentication', max_length=255, verbose_name='client secret')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created at')),
                ('updated', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('client_id', models.CharField(default=oauth2_provider.generators.generate_client_id, editable=False, max_length=100, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10), size=None, verbose_name='The program may ask for')),
                ('by_device', models.BooleanField(default=False, help_text='For televisions, consoles and terminals: the program shows a code, and the player enters it on another device.', verbose_name='Has no browser')),
            ],
            options={
                'verbose_name': 'app',
                'verbose_name_plural': 'apps',
                'db_table': 'accounts_oauth_client',
            },
        ),
        migrations.CreateModel(
            name='OAuthGrant',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('expires', models.DateTimeField(verbose_name='expires')),
                ('redirect_uri', models.TextField(verbose_name='redirect URI')),
                ('scope', models.TextField(blank=True, verbose_name='scope')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('code_challenge', models.CharField(blank=True, default='', max_length=128, verbose_name='code challenge')),
                ('code_challenge_method', models.CharField(blank=True, choices=[('plain', 'plain'), ('S256', 'S256')], default='', max_length=10, verbose_name='code challenge method')),
                ('nonce', models.CharField(blank=True, default='', max_length=255, verbose_name='nonce')),
                ('claims', models.TextField(blank=True, verbose_name='claims')),
                ('resource', oauth2_provider.models.ResourceJSONField(blank=True, default=list, verbose_name='resource')),
                ('code', accounts.models.oauth.HashField(max_length=64, unique=True)),
                ('exchanged_at', models.DateTimeField(null=True)),
                ('family', accounts.models.oauth.HashField(max_length=64, null=True, unique=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL, verbose_name='application')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['expires'], name='oauth_grant_expires')],
                'verbose_name': 'OAuth grant',
                'verbose_name_plural': 'OAuth grants',
                'db_table': 'accounts_oauth_grant',
            },
        ),
        migrations.CreateModel(
            name='OAuthIDToken',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('jti', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='JWT Token ID')),
                ('expires', models.DateTimeField(verbose_name='expires')),
                ('scope', models.TextField(blank=True, verbose_name='scope')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('application', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL, verbose_name='application')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'accounts_oauth_id_token',
            },
        ),
        migrations.CreateModel(
            name='OAuthAccessToken',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('token', models.TextField(verbose_name='token')),
                ('token_checksum', oauth2_provider.models.TokenChecksumField(db_index=True, max_length=64, unique=True, verbose_name='token checksum')),
                ('expires', models.DateTimeField(verbose_name='expires')),
                ('scope', models.TextField(blank=True, verbose_name='scope')),
                ('resource', oauth2_provider.models.ResourceJSONField(blank=True, default=list, verbose_name='resource')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('application', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL, verbose_name='application')),
                ('grant', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to=settings.OAUTH2_PROVIDER_GRANT_MODEL)),
                ('id_token', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='access_token', to=settings.OAUTH2_PROVIDER_ID_TOKEN_MODEL, verbose_name='ID token')),
            ],
            options={
                'indexes': [models.Index(fields=['expires'], name='oauth_access_token_expires')],
                'db_table': 'accounts_oauth_access_token',
            },
        ),
        migrations.CreateModel(
            name='OAuthRefreshToken',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('token', models.TextField(verbose_name='token')),
                ('token_checksum', oauth2_provider.models.TokenChecksumField(max_length=64, verbose_name='token checksum')),
                ('token_family', models.UUIDField(blank=True, editable=False, null=True, verbose_name='token family')),
                ('resource', oauth2_provider.models.ResourceJSONField(blank=True, default=list, verbose_name='resource')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('revoked', models.DateTimeField(null=True, verbose_name='revoked')),
                ('access_token', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='refresh_token', to=settings.OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL, verbose_name='access token')),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL, verbose_name='application')),
                ('grant', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='refresh_tokens', to=settings.OAUTH2_PROVIDER_GRANT_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'unique_together': {('token_checksum', 'revoked')},
                'db_table': 'accounts_oauth_refresh_token',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='OAuthDevice',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('scope', models.TextField(blank=True, verbose_name='scope')),
                ('interval', models.IntegerField(default=5, verbose_name='interval')),
                ('expires', models.DateTimeField(verbose_name='expires')),
                ('status', models.CharField(blank=True, choices=[('authorized', 'Authorized'), ('authorization-pending', 'Authorization pending'), ('expired', 'Expired'), ('denied', 'Denied')], default='authorization-pending', max_length=64, verbose_name='status')),
                ('device_code', accounts.models.oauth.HashField(max_length=64)),
                ('user_code', accounts.models.oauth.HashField(max_length=64, unique=True)),
                ('last_checked', models.DateTimeField(null=True)),
                ('client', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL)),
                ('grant', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='device', to=settings.OAUTH2_PROVIDER_GRANT_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('device_code',), name='accounts_oauthdevice_unique_device_code')],
                'indexes': [models.Index(fields=['expires'], name='oauth_device_expires')],
                'verbose_name': 'OAuth device request',
                'verbose_name_plural': 'OAuth device requests',
                'db_table': 'accounts_oauth_device',
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='apitoken',
            name='access_token',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='api_token', to=settings.OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL),
        ),
        migrations.AddField(
            model_name='oauthaccesstoken',
            name='source_refresh_token',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='refreshed_access_token', to=settings.OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL, verbose_name='source refresh token'),
        ),
        migrations.RunSQL(FROM_ANOTHER_LIBRARY, migrations.RunSQL.noop),
    ]
