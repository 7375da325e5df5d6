from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_openid_and_devices'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='became_bot_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='BOT account since'),
        ),
        AddConstraintNotValid(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('became_bot_at__isnull', True), ('closed_at__isnull', False), ('player_name__endswith', ' [BOT]'), _connector='OR'), name='accounts_user_name_of_a_bot_account_says_so'),
        ),
    ]
