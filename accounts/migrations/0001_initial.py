
import accounts.models
import accounts.names
import django.db.models.functions.text
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

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
                ('language', models.CharField(default='en', max_length=10, verbose_name='language')),
                ('adult_confirmed_at', models.DateTimeField(null=True, verbose_name='confirmed to be 18 or older')),
                ('is_bot', models.BooleanField(default=False, verbose_name='practice bot')),
                ('is_staff', models.BooleanField(default=False, help_text='May log in to the administration.', verbose_name='staff')),
                ('is_active', models.BooleanField(default=True, help_text='Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='joined')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'player',
                'verbose_name_plural': 'players',
                'constraints': [models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='accounts_user_email_is_lower_case'), models.UniqueConstraint(django.db.models.functions.text.Lower('player_name'), name='accounts_user_player_name_is_unique_in_any_case', violation_error_message='This player name is taken.'), models.CheckConstraint(condition=models.Q(('player_name__regex', '^.{3,20}$')), name='accounts_user_player_name_has_3_to_20_characters')],
            },
            managers=[
                ('objects', accounts.models.UserManager()),
            ],
        ),
    ]
