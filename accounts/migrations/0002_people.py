import uuid

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from core.database.creating_migration import CreatingMigration


class Migration(CreatingMigration):

    # All that others add to the user comes first: Django renders each related model anew with
    # every later change of it, and these would be among them.
    dependencies = [
        ('accounts', '0001_initial'),
        ('account', '0009_emailaddress_unique_primary_email'),
        ('admin', '0003_logentry_add_action_flag_choices'),
        ('core', '0001_initial'),
        ('mfa', '0003_authenticator_type_uniq'),
        ('socialaccount', '0006_alter_socialaccount_extra_data'),
        ('usersessions', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='AccountExport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('made_at', models.DateTimeField(null=True)),
                ('stored_as', models.TextField(default='')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'account export',
                'verbose_name_plural': 'account exports',
                'db_table': 'accounts_export',
                'constraints': [models.UniqueConstraint(condition=models.Q(('made_at__isnull', True)), fields=('user',), name='accounts_export_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='ApiRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('fingerprint', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('body', models.JSONField(null=True)),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'API request',
                'verbose_name_plural': 'API requests',
                'indexes': [models.Index(fields=['made_at'], name='api_request_made_at')],
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='a_key_is_one_request')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'Read: account, wallet, tables, matches, tournaments'), ('play', 'Play: sit down, leave, move'), ('money', 'Bring money: to tables and tournaments')], max_length=10), size=None)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='created at')),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                ('expires_at', models.DateTimeField(blank=True, null=True, verbose_name='expires at')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'API token',
                'verbose_name_plural': 'API tokens',
            },
        ),
        migrations.CreateModel(
            name='IdentityCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('full_name', models.CharField(max_length=100, verbose_name='full name')),
                ('born_on', models.DateField(verbose_name='date of birth')),
                ('document_kind', models.TextField(choices=[('PAN', 'PAN card'), ('PASSPORT', 'passport'), ('DRIVING_LICENCE', 'driving licence'), ('VOTER_ID', 'voter identity card')], verbose_name='document')),
                ('document_number', models.TextField(verbose_name='document number')),
                ('state', models.TextField(choices=[('SUBMITTED', 'being checked'), ('APPROVED', 'approved'), ('REFUSED', 'refused')], default='SUBMITTED', verbose_name='state')),
                ('reason', models.TextField(blank=True, help_text='Shown to the player.', verbose_name='reason')),
                ('submitted_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='submitted')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='identity_checks', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'identity check',
                'verbose_name_plural': 'identity checks',
                'db_table': 'accounts_identity_check',
                'permissions': [('decide_identitycheck', 'Can see identity documents and decide identity checks')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'REFUSED'), _negated=True), fields=('user',), name='accounts_identity_check_one_at_a_time'), models.UniqueConstraint(condition=models.Q(('state', 'APPROVED')), fields=('document_kind', 'document_number'), name='accounts_identity_check_document_is_of_one_person'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('state', 'SUBMITTED')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('state__in', ['APPROVED', 'REFUSED'])), _connector='OR'), name='accounts_identity_check_says_who_decided'), models.CheckConstraint(condition=models.Q(('reason', ''), ('state', 'REFUSED'), _negated=True), name='accounts_identity_check_refusal_has_a_reason'), models.CheckConstraint(condition=models.Q(('decided_by', models.F('user')), _negated=True), name='accounts_identity_check_is_decided_by_somebody_else')],
            },
        ),
        migrations.CreateModel(
            name='PastSession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ip', models.GenericIPAddressField()),
                ('user_agent', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField()),
                ('last_seen_at', models.DateTimeField()),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='past_sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'accounts_past_session',
                'indexes': [models.Index(fields=['user', 'last_seen_at'], name='past_sessions_of_user'), models.Index(fields=['ip'], name='past_sessions_of_address')],
            },
        ),
        migrations.CreateModel(
            name='PlayerNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(verbose_name='note')),
                ('written_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='written at')),
                ('staff', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='staff')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'db_table': 'accounts_player_note',
                'verbose_name': 'player note',
                'verbose_name_plural': 'player notes',
            },
        ),
        migrations.CreateModel(
            name='PushSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint', models.CharField(max_length=1000, unique=True)),
                ('p256dh', models.CharField(max_length=100)),
                ('auth', models.CharField(max_length=30)),
                ('device', models.CharField(blank=True, max_length=60, verbose_name='device')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='created at')),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='push_subscriptions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'push subscription',
                'verbose_name_plural': 'push subscriptions',
                'db_table': 'accounts_push_subscription',
            },
        ),
        migrations.CreateModel(
            name='IdentityDocument',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.TextField(choices=[('FRONT', 'front'), ('BACK', 'back')])),
                ('stored_as', models.TextField(unique=True)),
                ('content_type', models.TextField()),
                ('identity_check', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='documents', to='accounts.identitycheck')),
            ],
            options={
                'db_table': 'accounts_identity_document',
                'constraints': [models.UniqueConstraint(fields=('identity_check', 'side'), name='accounts_identity_document_one_of_a_side')],
            },
        ),
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
            name='OAuthSubject',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('subject', models.UUIDField(default=uuid.uuid4, unique=True)),
            ],
            options={
                'verbose_name': 'OpenID subject',
                'verbose_name_plural': 'OpenID subjects',
            },
        ),
    ]
