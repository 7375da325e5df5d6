
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('wallet', '0005_spending'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Deposit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField(help_text='In paise.', verbose_name='amount')),
                ('provider', models.TextField(verbose_name='provider')),
                ('reference', models.TextField(help_text='Ours, known to the provider.', verbose_name='reference')),
                ('payment_id', models.TextField(blank=True, help_text="The provider's.", verbose_name='payment')),
                ('state', models.TextField(choices=[('WAITING', 'waiting for the payment'), ('PAID', 'paid'), ('FAILED', 'failed'), ('IN_DISPUTE', 'being looked into')], default='WAITING', verbose_name='state')),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='started')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deposits', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'deposit',
                'verbose_name_plural': 'deposits',
            },
        ),
        migrations.CreateModel(
            name='PaymentNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.TextField(verbose_name='provider')),
                ('event_id', models.TextField(verbose_name='event')),
                ('payment_id', models.TextField(verbose_name='payment')),
                ('outcome', models.TextField(verbose_name='outcome')),
                ('amount', models.BigIntegerField(verbose_name='amount')),
                ('currency', models.TextField(verbose_name='currency')),
                ('effect', models.TextField(choices=[('CREDITED', 'credited'), ('FAILED', 'marked as failed'), ('IGNORED', 'nothing: already decided'), ('MISMATCH', 'not credited: another amount or a second payment'), ('REPEATED', 'nothing: came before'), ('UNKNOWN', 'nothing: unknown reference')], verbose_name='effect')),
                ('received_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='received')),
                ('deposit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='wallet.deposit')),
            ],
            options={
                'verbose_name': 'payment notice',
                'verbose_name_plural': 'payment notices',
                'db_table': 'wallet_payment_notice',
            },
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
            model_name='paymentnotice',
            constraint=models.UniqueConstraint(fields=('provider', 'event_id'), name='wallet_payment_notice_comes_once'),
        ),
    ]
