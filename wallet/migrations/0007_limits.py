
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('wallet', '0006_deposits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SelfExclusion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='began')),
                ('until', models.DateTimeField(null=True, verbose_name='until')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'self-exclusion',
                'verbose_name_plural': 'self-exclusions',
                'db_table': 'wallet_self_exclusion',
            },
        ),
        migrations.CreateModel(
            name='DepositLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('period', models.TextField(choices=[('DAY', 'within 24 hours'), ('WEEK', 'within 7 days'), ('MONTH', 'within 30 days')])),
                ('amount', models.BigIntegerField(help_text='In paise. Empty: no limit.', null=True)),
                ('effective_from', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'wallet_deposit_limit',
                'constraints': [models.CheckConstraint(condition=models.Q(('amount', None), ('amount__gt', 0), _connector='OR'), name='wallet_deposit_limit_is_positive')],
            },
        ),
    ]
