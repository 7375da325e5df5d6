from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_games")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="away_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="away_told_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
