from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # The index is built without holding anybody up, which PostgreSQL does outside of transactions.
    atomic = False
    dependencies = [("accounts", "0002_absence_notice")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_guest",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Plays a first deal without an address or a password.",
                verbose_name="guest",
            ),
        ),
        AddIndexConcurrently(
            model_name="user",
            index=models.Index(
                condition=models.Q(("closed_at__isnull", True), ("is_guest", True)),
                fields=["date_joined"],
                name="accounts_user_guest",
            ),
        ),
    ]
