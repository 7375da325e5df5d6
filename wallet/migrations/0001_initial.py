import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models



class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Hold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='LedgerCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('checked_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name='checked')),
                ('found', models.IntegerField(verbose_name='findings')),
                ('findings', models.JSONField(default=list, verbose_name='first findings')),
                ('head', models.TextField(blank=True, verbose_name='last seal')),
            ],
            options={
                'verbose_name': 'ledger check',
                'verbose_name_plural': 'ledger checks',
                'db_table': 'wallet_ledger_check',
            },
        ),
        migrations.CreateModel(
            name='LedgerSeal',
            fields=[
                ('number', models.BigIntegerField(primary_key=True, serialize=False)),
                ('first_transfer_id', models.BigIntegerField()),
                ('last_transfer_id', models.BigIntegerField()),
                ('transfers', models.IntegerField()),
                ('previous_hash', models.BinaryField()),
                ('hash', models.BinaryField()),
                ('sealed_at', models.DateTimeField()),
            ],
            options={
                'db_table': 'wallet_seal',
            },
        ),
        migrations.CreateModel(
            name='SealHorizon',
            fields=[
                ('id', models.SmallIntegerField(primary_key=True, serialize=False)),
                ('transfer_id', models.BigIntegerField()),
                ('transaction_id', models.BigIntegerField()),
            ],
            options={
                'db_table': 'wallet_seal_horizon',
            },
        ),
        migrations.CreateModel(
            name='Deposit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField(help_text='In paise.', verbose_name='amount')),
                ('provider', models.TextField(verbose_name='provider')),
                ('reference', models.TextField(help_text='Ours, known to the provider.', verbose_name='reference')),
                ('payment_id', models.TextField(blank=True, help_text="The provider's.", verbose_name='payment')),
                ('state', models.TextField(choices=[('WAITING', 'waiting for the payment'), ('PAID', 'paid'), ('FAILED', 'failed'), ('IN_DISPUTE', 'being looked into'), ('EXPIRED', 'expired'), ('REFUNDING', 'not credited, is being paid back'), ('REFUNDED', 'not credited, paid back'), ('REFUND_REFUSED', 'not credited, the provider does not pay it back')], default='WAITING', verbose_name='state')),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='started')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided')),
                ('refused_for', models.TextField(blank=True, choices=[('CLOSED', 'the account is closed'), ('FROZEN', 'the account is frozen'), ('EXCLUDED', 'the player has excluded themself'), ('LIMIT', "beyond the player's limit")], verbose_name='not credited because')),
                ('refund_at', models.DateTimeField(null=True, verbose_name='pay back at')),
                ('refund_id', models.TextField(blank=True, help_text="The provider's.", verbose_name='refund')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deposits', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'deposit',
                'verbose_name_plural': 'deposits',
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
            },
        ),
        migrations.CreateModel(
            name='FeeSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('format', models.TextField(choices=[('POINTS', 'points rummy'), ('POOL', 'pool rummy'), ('DEALS', 'deals rummy'), ('TOURNAMENT', 'tournament')], verbose_name='format')),
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
        migrations.CreateModel(
            name='HoldResolution',
            fields=[
                ('hold', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='resolution', serialize=False, to='wallet.hold')),
                ('outcome', models.TextField(choices=[('POSTED', 'posted'), ('VOIDED', 'released'), ('EXPIRED', 'expired')])),
                ('resolved_at', models.DateTimeField()),
            ],
            options={
                'db_table': 'wallet_hold_resolution',
            },
        ),
        migrations.CreateModel(
            name='Journal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.TextField(unique=True)),
                ('request_hash', models.BinaryField()),
                ('actor_id', models.BigIntegerField(null=True)),
                ('subject', models.TextField()),
                ('recorded_at', models.DateTimeField()),
                ('reverses', models.OneToOneField(db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='wallet.journal')),
            ],
        ),
        migrations.AddField(
            model_name='hold',
            name='journal',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to='wallet.journal'),
        ),
        migrations.CreateModel(
            name='LedgerAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.TextField()),
                ('owner_id', models.BigIntegerField()),
                ('currency', models.TextField(choices=[('CHIPS', 'CHIPS'), ('INR', 'INR')])),
                ('shard', models.SmallIntegerField(db_default=0, default=0)),
                ('may_be_negative', models.BooleanField(db_default=False, default=False)),
                ('balance', models.BigIntegerField(db_default=0, default=0)),
                ('held', models.BigIntegerField(db_default=0, default=0)),
                ('seq', models.BigIntegerField(db_default=0, default=0)),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'ledger account',
                'verbose_name_plural': 'ledger accounts',
                'db_table': 'wallet_account',
                'constraints': [models.UniqueConstraint(fields=('kind', 'owner_id', 'currency', 'shard'), name='wallet_account_one_for_each_purpose'), models.UniqueConstraint(fields=('id', 'currency'), name='wallet_account_has_one_currency'), models.CheckConstraint(condition=models.Q(('balance__gte', models.F('held')), ('may_be_negative', True), _connector='OR'), name='wallet_account_is_never_overdrawn')],
            },
        ),
        migrations.CreateModel(
            name='HoldLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.IntegerField()),
                ('currency', models.TextField(choices=[('CHIPS', 'CHIPS'), ('INR', 'INR')])),
                ('amount', models.BigIntegerField()),
                ('reason', models.TextField()),
                ('hold', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='wallet.hold')),
                ('destination', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.ledgeraccount')),
                ('source', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='hold_lines', to='wallet.ledgeraccount')),
            ],
            options={
                'db_table': 'wallet_hold_line',
            },
        ),
        migrations.CreateModel(
            name='LossLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('period', models.TextField(choices=[('DAY', 'within 24 hours'), ('WEEK', 'within 7 days'), ('MONTH', 'within 30 days')])),
                ('amount', models.BigIntegerField(help_text='In paise. Empty: no limit.', null=True)),
                ('effective_from', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'wallet_loss_limit',
            },
        ),
        migrations.CreateModel(
            name='PaymentWebhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.TextField(verbose_name='provider')),
                ('event_id', models.TextField(verbose_name='event')),
                ('payment_id', models.TextField(verbose_name='payment')),
                ('outcome', models.TextField(verbose_name='outcome')),
                ('amount', models.BigIntegerField(verbose_name='amount')),
                ('currency', models.TextField(verbose_name='currency')),
                ('effect', models.TextField(choices=[('CREDITED', 'credited'), ('FAILED', 'marked as failed'), ('IGNORED', 'nothing: already decided'), ('MISMATCH', 'not credited: another amount or a second payment'), ('REFUNDED', 'not credited: goes back to who paid'), ('REPEATED', 'nothing: came before'), ('UNKNOWN', 'nothing: unknown reference')], verbose_name='effect')),
                ('received_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='received')),
                ('deposit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='wallet.deposit')),
            ],
            options={
                'verbose_name': 'payment webhook',
                'verbose_name_plural': 'payment webhooks',
                'db_table': 'wallet_payment_webhook',
            },
        ),
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
            name='TaxRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='Where it is written, such as IN-194BA.', max_length=40, verbose_name='rule')),
                ('rate_bps', models.IntegerField(help_text='In hundredths of a percent: 3000 is 30 %.', verbose_name='rate')),
                ('threshold', models.BigIntegerField(default=0, help_text='In paise. Net winnings up to this are taxed together with the next ones.', verbose_name='threshold')),
                ('valid_from', models.DateField(unique=True, verbose_name='valid from')),
            ],
            options={
                'verbose_name': 'tax rule',
                'verbose_name_plural': 'tax rules',
                'db_table': 'wallet_tax_rule',
                'constraints': [models.CheckConstraint(condition=models.Q(('rate_bps__gte', 0), ('rate_bps__lt', 10000)), name='wallet_tax_rule_rate_is_a_share', violation_error_message='The rate is 0 to 9999 hundredths of a percent.'), models.CheckConstraint(condition=models.Q(('threshold__gte', 0)), name='wallet_tax_rule_threshold_is_not_negative', violation_error_message='The threshold must not be negative.')],
            },
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.IntegerField()),
                ('currency', models.TextField(choices=[('CHIPS', 'CHIPS'), ('INR', 'INR')])),
                ('amount', models.BigIntegerField()),
                ('reason', models.TextField()),
                ('happened_at', models.DateTimeField()),
                ('destination', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.ledgeraccount')),
                ('journal', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='wallet.journal')),
                ('source', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.ledgeraccount')),
            ],
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('pk', models.CompositePrimaryKey('account_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField()),
                ('amount', models.BigIntegerField()),
                ('balance_after', models.BigIntegerField()),
                ('happened_at', models.DateTimeField()),
                ('account', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='wallet.ledgeraccount')),
                ('transfer', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='wallet.transfer')),
            ],
        ),
        migrations.CreateModel(
            name='Withdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.TextField(unique=True, verbose_name='reference')),
                ('amount', models.BigIntegerField(help_text='In paise.', verbose_name='amount')),
                ('net_winnings', models.BigIntegerField(help_text='The part that is taxed.', verbose_name='net winnings')),
                ('tax', models.BigIntegerField(verbose_name='tax')),
                ('net', models.BigIntegerField(verbose_name='paid out')),
                ('pay_to', models.CharField(max_length=100, verbose_name='UPI address')),
                ('provider', models.TextField(verbose_name='provider')),
                ('payout_id', models.TextField(blank=True, help_text="The provider's.", verbose_name='payment')),
                ('state', models.TextField(choices=[('REQUESTED', 'waiting for approval'), ('NEEDS_SECOND', 'waiting for a second approval'), ('APPROVED', 'approved'), ('SENT', 'on its way to you'), ('PAID', 'paid'), ('REFUSED', 'refused'), ('CANCELLED', 'cancelled by the player'), ('FAILED', 'failed'), ('IN_DISPUTE', 'being looked into')], default='REQUESTED', verbose_name='state')),
                ('reason', models.TextField(blank=True, help_text='The player reads it.', verbose_name='reason')),
                ('requested_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='requested')),
                ('send_at', models.DateTimeField(null=True, verbose_name='to be sent')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
                ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='approved by')),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='ended by')),
                ('hold', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='withdrawal', to='wallet.hold')),
                ('rule', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.taxrule', verbose_name='tax rule')),
                ('second_approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='second approval by')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='withdrawals', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'withdrawal',
                'verbose_name_plural': 'withdrawals',
                'permissions': [('decide_withdrawal', 'Can approve and refuse withdrawals')],
            },
        ),
        migrations.CreateModel(
            name='PayoutWebhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.TextField(verbose_name='provider')),
                ('event_id', models.TextField(verbose_name='event')),
                ('payment_id', models.TextField(verbose_name='payment')),
                ('outcome', models.TextField(verbose_name='outcome')),
                ('amount', models.BigIntegerField(verbose_name='amount')),
                ('currency', models.TextField(verbose_name='currency')),
                ('effect', models.TextField(choices=[('PAID', 'marked as paid'), ('FAILED', 'marked as failed'), ('IGNORED', 'nothing: already decided'), ('MISMATCH', 'to be looked into: it does not fit what was sent'), ('REPEATED', 'nothing: came before'), ('UNKNOWN', 'nothing: unknown reference')], verbose_name='effect')),
                ('received_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='received')),
                ('withdrawal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to='wallet.withdrawal')),
            ],
            options={
                'verbose_name': 'payout webhook',
                'verbose_name_plural': 'payout webhooks',
                'db_table': 'wallet_payout_webhook',
            },
        ),
        migrations.CreateModel(
            name='WithdrawalPolicy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('least', models.BigIntegerField(help_text='Of one withdrawal, in paise.', verbose_name='least amount')),
                ('most_a_day', models.BigIntegerField(help_text='Of all withdrawals of a player, in paise.', verbose_name='most within 24 hours')),
                ('second_approval_above', models.BigIntegerField(help_text='In paise. Larger withdrawals need a second, different administrator.', verbose_name='second approval above')),
                ('valid_from', models.DateTimeField(default=django.utils.timezone.now, unique=True, verbose_name='valid from')),
            ],
            options={
                'verbose_name': 'withdrawal policy',
                'verbose_name_plural': 'withdrawal policies',
                'db_table': 'wallet_withdrawal_policy',
                'constraints': [models.CheckConstraint(condition=models.Q(('least__gt', 0), ('most_a_day__gte', models.F('least')), ('second_approval_above__gte', 0)), name='wallet_withdrawal_policy_makes_sense', violation_error_message='The least amount is more than zero and the most no less than it.')],
            },
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='policy',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.withdrawalpolicy', verbose_name='withdrawal policy'),
        ),
        migrations.CreateModel(
            name='YearEndTax',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.IntegerField(help_text='The year in which it began.', verbose_name='financial year')),
                ('withdrawn', models.BigIntegerField(verbose_name='withdrawn')),
                ('deposited', models.BigIntegerField(verbose_name='deposited')),
                ('opening', models.BigIntegerField(verbose_name='opening balance')),
                ('closing', models.BigIntegerField(verbose_name='closing balance')),
                ('taxed', models.BigIntegerField(verbose_name='net winnings taxed before')),
                ('net_winnings', models.BigIntegerField(verbose_name='net winnings')),
                ('tax', models.BigIntegerField(verbose_name='tax')),
                ('state', models.TextField(choices=[('DUE', 'to be deducted'), ('DEDUCTED', 'deducted'), ('NOTHING', 'nothing to deduct')], verbose_name='state')),
                ('deducted_at', models.DateTimeField(null=True, verbose_name='deducted at')),
                ('rule', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallet.taxrule', verbose_name='rule')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'tax at the end of a year',
                'verbose_name_plural': 'taxes at the end of a year',
                'db_table': 'wallet_year_end_tax',
            },
        ),
        migrations.CreateModel(
            name='Bonus',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.TextField(unique=True, verbose_name='reference')),
                ('amount', models.BigIntegerField(help_text='In paise.', verbose_name='amount')),
                ('chunks', models.IntegerField(verbose_name='chunks')),
                ('play_multiple', models.IntegerField(verbose_name='times to be played')),
                ('reason', models.TextField(verbose_name='reason')),
                ('granted_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='granted')),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('counts_from', models.DateTimeField(null=True, verbose_name='play counts from')),
                ('released', models.BigIntegerField(default=0, help_text='In paise.', verbose_name='released')),
                ('state', models.TextField(choices=[('RUNNING', 'running'), ('RELEASED', 'released'), ('EXPIRED', 'expired')], default='RUNNING', verbose_name='state')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
                ('looked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('granted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='granted by')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bonuses', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'bonus',
                'verbose_name_plural': 'bonuses',
                'permissions': [('grant_bonus', 'Can give players a bonus')],
                'indexes': [models.Index(condition=models.Q(('state', 'RUNNING')), fields=['looked_at'], name='wallet_bonus_to_be_looked_at')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0), ('chunks__gt', 0), ('chunks__lte', models.F('amount')), ('expires_at__gt', models.F('granted_at')), ('play_multiple__gt', 0)), name='wallet_bonus_terms_make_sense'), models.CheckConstraint(condition=models.Q(('released__gte', 0), ('released__lte', models.F('amount'))), name='wallet_bonus_releases_no_more_than_it_is'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('state', 'RUNNING')), models.Q(models.Q(('state', 'RUNNING'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='wallet_bonus_ends_once')],
            },
        ),
        migrations.AddIndex(
            model_name='deposit',
            index=models.Index(condition=models.Q(('state', 'WAITING')), fields=['started_at'], name='wallet_deposit_waiting_idx'),
        ),
        migrations.AddIndex(
            model_name='deposit',
            index=models.Index(condition=models.Q(('state', 'REFUNDING')), fields=['refund_at'], name='wallet_deposit_refund_idx'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=models.UniqueConstraint(fields=('provider', 'reference'), name='wallet_deposit_reference_is_unique'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='wallet_deposit_amount_is_positive'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['REFUNDING', 'REFUNDED', 'REFUND_REFUSED']), models.Q(('refused_for', ''), _negated=True)), models.Q(models.Q(('state__in', ['REFUNDING', 'REFUNDED', 'REFUND_REFUSED']), _negated=True), ('refused_for', '')), _connector='OR'), name='wallet_deposit_refund_says_why'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('refund_at__isnull', False), ('state', 'REFUNDING')), models.Q(models.Q(('state', 'REFUNDING'), _negated=True), ('refund_at', None)), _connector='OR'), name='wallet_deposit_refund_is_tried_again'),
        ),
        migrations.AddConstraint(
            model_name='depositlimit',
            constraint=models.CheckConstraint(condition=models.Q(('amount', None), ('amount__gt', 0), _connector='OR'), name='wallet_deposit_limit_is_positive'),
        ),
        migrations.AddField(
            model_name='holdresolution',
            name='journal',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to='wallet.journal'),
        ),
        migrations.AddConstraint(
            model_name='holdline',
            constraint=models.UniqueConstraint(fields=('hold', 'line'), name='wallet_hold_line_is_unique'),
        ),
        migrations.AddConstraint(
            model_name='holdline',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='wallet_hold_line_amount_is_positive'),
        ),
        migrations.AddConstraint(
            model_name='holdline',
            constraint=models.CheckConstraint(condition=models.Q(('source', models.F('destination')), _negated=True), name='wallet_hold_line_accounts_differ'),
        ),
        migrations.AddConstraint(
            model_name='losslimit',
            constraint=models.CheckConstraint(condition=models.Q(('amount', None), ('amount__gt', 0), _connector='OR'), name='wallet_loss_limit_is_positive'),
        ),
        migrations.AddConstraint(
            model_name='paymentwebhook',
            constraint=models.UniqueConstraint(fields=('provider', 'event_id'), name='wallet_payment_webhook_comes_once'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.UniqueConstraint(fields=('journal', 'line'), name='wallet_transfer_one_for_each_line'),
        ),
        migrations.AddConstraint(
            model_name='payoutwebhook',
            constraint=models.UniqueConstraint(fields=('provider', 'event_id'), name='wallet_payout_webhook_comes_once'),
        ),
        migrations.AddIndex(
            model_name='withdrawal',
            index=models.Index(condition=models.Q(('send_at__isnull', False)), fields=['send_at'], name='wallet_withdrawal_to_be_sent'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('amount', django.db.models.expressions.CombinedExpression(models.F('net'), '+', models.F('tax'))), ('amount__gt', 0), ('net__gt', 0), ('tax__gte', 0)), name='wallet_withdrawal_is_net_and_tax'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('net_winnings__gte', 0), ('net_winnings__lte', models.F('amount'))), name='wallet_withdrawal_net_winnings_are_a_part'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('second_approved_by', None), models.Q(('second_approved_by', models.F('approved_by')), _negated=True), _connector='OR'), name='wallet_withdrawal_is_approved_by_two'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('approved_by', None), models.Q(('approved_by', models.F('user')), _negated=True), _connector='OR'), models.Q(('second_approved_by', None), models.Q(('second_approved_by', models.F('user')), _negated=True), _connector='OR')), name='wallet_withdrawal_is_approved_by_others'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('approved_by', None), ('state__in', ['APPROVED', 'SENT', 'PAID']), _negated=True), name='wallet_withdrawal_leaves_approved'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('send_at__isnull', False), ('state', 'APPROVED')), models.Q(models.Q(('state', 'APPROVED'), _negated=True), ('send_at', None)), _connector='OR'), name='wallet_withdrawal_is_sent_when_approved'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), ('state', 'REFUSED'), _negated=True), name='wallet_withdrawal_refusal_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='yearendtax',
            constraint=models.UniqueConstraint(fields=('user', 'year'), name='wallet_year_end_tax_once_a_year'),
        ),
        migrations.AddConstraint(
            model_name='yearendtax',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'NOTHING'), ('tax', 0)), models.Q(models.Q(('state', 'NOTHING'), _negated=True), ('tax__gt', 0)), _connector='OR'), name='wallet_year_end_tax_has_its_state'),
        ),
        migrations.AddConstraint(
            model_name='holdresolution',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['POSTED', 'VOIDED', 'EXPIRED'])), name='wallet_hold_resolution_outcome_is_known'),
        ),
    ]
