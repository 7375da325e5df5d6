import accounts.models.users
import accounts.names
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from core.database.creating_migration import CreatingMigration

# Staff roles. Their permissions are granted after every migration (accounts/desk/staff_roles.py).
ROLES = ("support", "finance", "games", "superuser")


def make_roles(apps, _schema_editor):
    for name in ROLES:
        apps.get_model("auth", "Group").objects.get_or_create(name=name)


class Migration(CreatingMigration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(error_messages={'unique': 'There is an account with this e-mail address.'}, max_length=254, unique=True, verbose_name='e-mail address')),
                ('player_name', models.CharField(help_text='What others see at the table: 3 to 20 characters.', max_length=20, validators=[accounts.names.PlayerNameValidator()], verbose_name='player name')),
                ('name_skeleton', models.CharField(blank=True, db_default='', default='', editable=False, max_length=100)),
                ('language', models.CharField(default='en', max_length=10, verbose_name='language')),
                ('absence_notice', models.CharField(choices=[('push_or_email', 'On my devices, otherwise by e-mail'), ('push', 'On my devices alone'), ('none', 'Not at all')], db_default='push_or_email', default='push_or_email', max_length=13, verbose_name='told when absent from a table')),
                ('page_shown_to', models.CharField(choices=[('nobody', 'Only me'), ('friends', 'My friends'), ('everybody', 'All players')], db_default='nobody', default='nobody', max_length=9, verbose_name='player page shown to')),
                ('adult_confirmed_at', models.DateTimeField(null=True, verbose_name='confirmed to be 18 or older')),
                ('is_bot', models.BooleanField(default=False, verbose_name='practice bot')),
                ('is_guest', models.BooleanField(db_default=False, default=False, help_text="Plays a first deal, or at a friend's table, without an address or a password.", verbose_name='guest')),
                ('is_staff', models.BooleanField(default=False, help_text='May log in to the administration.', verbose_name='staff')),
                ('is_active', models.BooleanField(default=True, help_text='Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='joined')),
                ('frozen_at', models.DateTimeField(blank=True, null=True, verbose_name='frozen')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ('face', models.CharField(blank=True, db_default='', default='', editable=False, max_length=10, verbose_name='face')),
                ('preferences', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, editable=False, verbose_name='preferences')),
                ('online_shown_to', models.CharField(choices=[('nobody', 'Only me'), ('friends', 'My friends'), ('everybody', 'All players')], db_default='friends', default='friends', max_length=9, verbose_name='online shown to')),
                ('became_bot_at', models.DateTimeField(blank=True, null=True, verbose_name='BOT account since')),
            ],
            options={
                'verbose_name': 'player',
                'verbose_name_plural': 'players',
                'permissions': [('freeze_user', 'Can freeze and unfreeze players'), ('end_sessions', 'Can see and end the sessions of players')],
                'indexes': [models.Index(condition=models.Q(('closed_at__isnull', True), ('is_guest', True)), fields=['date_joined'], name='accounts_user_guest'), models.Index(fields=['name_skeleton'], name='accounts_user_name_beginning', opclasses=['text_pattern_ops']), models.Index(condition=models.Q(('became_bot_at__isnull', False)), fields=['became_bot_at'], name='accounts_user_bot_account')],
                'constraints': [models.CheckConstraint(condition=models.Q(('is_active', False), models.Q(('closed_at__isnull', True), ('frozen_at__isnull', True)), _connector='OR'), name='accounts_user_frozen_or_closed_is_not_active'), models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='accounts_user_email_is_lower_case'), models.UniqueConstraint(django.db.models.functions.text.Lower('player_name'), name='accounts_user_player_name_is_unique_in_any_case', violation_error_message='This player name is taken.'), models.CheckConstraint(condition=models.Q(('player_name__regex', '^.{3,20}$')), name='accounts_user_player_name_has_3_to_20_characters'), models.CheckConstraint(condition=models.Q(('became_bot_at__isnull', True), ('closed_at__isnull', False), ('player_name__endswith', ' [BOT]'), _connector='OR'), name='accounts_user_name_of_a_bot_account_says_so')],
            },
            managers=[
                ('objects', accounts.models.users.UserManager()),
            ],
        ),
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
                'verbose_name': 'export of an account',
                'verbose_name_plural': 'exports of accounts',
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
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='made at')),
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
                ('document_number', models.TextField(verbose_name='number of the document')),
                ('state', models.TextField(choices=[('SUBMITTED', 'being checked'), ('APPROVED', 'approved'), ('REFUSED', 'refused')], default='SUBMITTED', verbose_name='state')),
                ('reason', models.TextField(blank=True, help_text='The player reads it.', verbose_name='reason')),
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
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='made at')),
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
        migrations.RunPython(make_roles),
    ]
