from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="absence_notice",
            field=models.CharField(
                choices=[
                    ("push_or_email", "On my devices, otherwise by e-mail"),
                    ("push", "On my devices alone"),
                    ("none", "Not at all"),
                ],
                db_default="push_or_email",
                default="push_or_email",
                max_length=13,
                verbose_name="told when absent from a table",
            ),
        )
    ]
