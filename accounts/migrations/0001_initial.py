import accounts.models.users
import accounts.names
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
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
                ('email', models.EmailField(error_messages={'unique': 'There is already an account with this e-mail address.'}, max_length=254, unique=True, verbose_name='e-mail address')),
                ('player_name', models.CharField(help_text='Your name at the table: 3 to 20 characters.', max_length=20, validators=[accounts.names.PlayerNameValidator()], verbose_name='player name')),
                ('name_skeleton', models.CharField(blank=True, db_default='', default='', editable=False, max_length=100)),
                ('language', models.CharField(default='en', max_length=10, verbose_name='language')),
                ('absence_notice', models.CharField(choices=[('push_or_email', 'On my devices, otherwise by e-mail'), ('push', 'Only on my devices'), ('none', 'Not at all')], db_default='push_or_email', default='push_or_email', max_length=13, verbose_name='absence notice')),
                ('page_shown_to', models.CharField(choices=[('nobody', 'Only me'), ('friends', 'My friends'), ('everybody', 'All players')], db_default='nobody', default='nobody', max_length=9, verbose_name='player page shown to')),
                ('adult_confirmed_at', models.DateTimeField(null=True, verbose_name='confirmed to be 18 or older')),
                ('is_bot', models.BooleanField(default=False, verbose_name='practice bot')),
                ('is_guest', models.BooleanField(db_default=False, default=False, help_text="Plays a first deal, or at a friend's table, without an address or a password.", verbose_name='guest')),
                ('is_staff', models.BooleanField(default=False, help_text='May sign in to the administration.', verbose_name='staff')),
                ('is_active', models.BooleanField(default=True, help_text='Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='joined')),
                ('frozen_at', models.DateTimeField(blank=True, null=True, verbose_name='frozen')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ('face', models.CharField(blank=True, db_default='', default='', editable=False, max_length=10, verbose_name='face')),
                ('preferences', models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, editable=False, verbose_name='preferences')),
                ('online_shown_to', models.CharField(choices=[('nobody', 'Only me'), ('friends', 'My friends'), ('everybody', 'All players')], db_default='friends', default='friends', max_length=9, verbose_name='online status shown to')),
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
        migrations.RunPython(make_roles),
    ]
