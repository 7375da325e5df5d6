from pathlib import Path

import django.utils.timezone
from django.db import migrations, models


SQL = Path(__file__).resolve().parents[1] / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ('wallet', '0002_posting'),
    ]

    operations = [
        migrations.CreateModel(
            name='FeeSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('variant', models.TextField(choices=[('POINTS', 'points rummy'), ('POOL', 'pool rummy'), ('DEALS', 'deals rummy'), ('TOURNAMENT', 'tournament')], verbose_name='variant')),
                ('currency', models.TextField(choices=[('CHIPS', 'CHIPS'), ('INR', 'INR')], default='CHIPS', verbose_name='currency')),
                ('stake_from', models.BigIntegerField(help_text='In chips or paise: value of a point, or entry fee.', verbose_name='stake from')),
                ('stake_to', models.BigIntegerField(blank=True, help_text='Included. Empty: no upper end.', null=True, verbose_name='stake to')),
                ('rake_bps', models.IntegerField(help_text='In hundredths of a percent: 1000 is 10 %.', verbose_name='service fee')),
                ('rake_cap', models.BigIntegerField(blank=True, help_text='In chips or paise. Empty: none.', null=True, verbose_name='highest fee')),
                ('valid_from', models.DateTimeField(default=django.utils.timezone.now, verbose_name='valid from')),
                ('valid_until', models.DateTimeField(blank=True, help_text='Not included. Empty: until changed.', null=True, verbose_name='valid until')),
            ],
            options={
                'verbose_name': 'fee schedule',
                'verbose_name_plural': 'fee schedules',
                'db_table': 'wallet_fee_schedule',
                'constraints': [models.CheckConstraint(condition=models.Q(('stake_from__gte', 0), models.Q(('stake_to', None), ('stake_to__gte', models.F('stake_from')), _connector='OR')), name='wallet_fee_schedule_stakes_are_a_range', violation_error_message='The stakes must go from a lower to a higher amount.'), models.CheckConstraint(condition=models.Q(('rake_bps__gte', 0), ('rake_bps__lte', 10000)), name='wallet_fee_schedule_rake_is_a_share', violation_error_message='The fee is 0 to 10000 hundredths of a percent.'), models.CheckConstraint(condition=models.Q(('rake_cap', None), ('rake_cap__gte', 0), _connector='OR'), name='wallet_fee_schedule_cap_is_not_negative', violation_error_message='The highest fee must not be negative.'), models.CheckConstraint(condition=models.Q(('valid_until', None), ('valid_until__gt', models.F('valid_from')), _connector='OR'), name='wallet_fee_schedule_ends_after_it_begins', violation_error_message='It must end after it begins.')],
            },
        ),
        migrations.RunSQL((SQL / "0003_fees.sql").read_text()),
    ]
