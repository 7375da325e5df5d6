import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

from core.database.creating_migration import CreatingMigration


class Migration(CreatingMigration):

    dependencies = [
        ('accounts', '0001_initial'),
        ('core', '0001_initial'),
        ('allauth_idp_oidc', '0003_client_allow_uri_wildcards'),
    ]

    operations = [
        migrations.CreateModel(
            name='Residence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='stated')),
                ('region', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='core.region', verbose_name='region')),
                ('stated_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='stated by')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='residences', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'residence',
                'verbose_name_plural': 'residences',
            },
        ),
        migrations.CreateModel(
            name='PageAcceptance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('accepted_at', models.DateTimeField(verbose_name='accepted')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='player')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acceptances', to='core.pageversion')),
            ],
            options={
                'verbose_name': 'accepted page',
                'verbose_name_plural': 'accepted pages',
                'db_table': 'accounts_page_acceptance',
                'constraints': [models.UniqueConstraint(fields=('user', 'version'), name='accounts_page_acceptance_comes_once')],
            },
        ),
        migrations.CreateModel(
            name='OAuthClient',
            fields=[
            ],
            options={
                'verbose_name': 'app',
                'verbose_name_plural': 'apps',
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('allauth_idp_oidc.client',),
        ),
        migrations.CreateModel(
            name='OAuthGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_hash', models.CharField(max_length=64, unique=True)),
                ('redirect_uri', models.TextField()),
                ('code_challenge', models.CharField(blank=True, max_length=128)),
                ('scopes', models.JSONField()),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('exchanged_at', models.DateTimeField(null=True)),
                ('family_hash', models.CharField(max_length=64, null=True, unique=True)),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('client', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='allauth_idp_oidc.client')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('nonce', models.CharField(blank=True, db_default='', default='', max_length=255)),
            ],
            options={
                'verbose_name': 'grant of OAuth',
                'verbose_name_plural': 'grants of OAuth',
            },
        ),
        migrations.CreateModel(
            name='OAuthSubject',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('subject', models.UUIDField(default=uuid.uuid4, unique=True)),
            ],
            options={
                'verbose_name': 'subject of OpenID',
                'verbose_name_plural': 'subjects of OpenID',
            },
        ),
        migrations.CreateModel(
            name='OAuthDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_hash', models.CharField(max_length=64, unique=True)),
                ('user_code_hash', models.CharField(max_length=64, unique=True)),
                ('scopes', models.JSONField()),
                ('denied_at', models.DateTimeField(null=True)),
                ('polled_at', models.DateTimeField(null=True)),
                ('pause_seconds', models.PositiveSmallIntegerField()),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('client', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='allauth_idp_oidc.client')),
                ('grant', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='device', to='accounts.oauthgrant')),
            ],
            options={
                'verbose_name': 'device request of OAuth',
                'verbose_name_plural': 'device requests of OAuth',
            },
        ),
        migrations.AddField(
            model_name='apitoken',
            name='grant',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='api_token', to='allauth_idp_oidc.token'),
        ),
    ]
