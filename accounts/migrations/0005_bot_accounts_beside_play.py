from django.contrib.postgres.operations import AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models


class Migration(migrations.Migration):
    """What reads all players, without a lock that keeps them waiting."""

    atomic = False

    dependencies = [
        ('accounts', '0004_bot_accounts'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='user',
            index=models.Index(condition=models.Q(('became_bot_at__isnull', False)), fields=['became_bot_at'], name='accounts_user_bot_account'),
        ),
        ValidateConstraint(
            model_name='user',
            name='accounts_user_name_of_a_bot_account_says_so',
        ),
    ]
