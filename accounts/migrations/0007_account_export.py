import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_push_subscriptions'),
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
                'verbose_name': 'export of an account',
                'verbose_name_plural': 'exports of accounts',
                'db_table': 'accounts_export',
                'constraints': [models.UniqueConstraint(condition=models.Q(('made_at__isnull', True)), fields=('user',), name='accounts_export_one_at_a_time')],
            },
        ),
    ]
