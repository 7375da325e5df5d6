import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0012_help_and_lessons'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SupportCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(choices=[('DEAL', 'Something was wrong with a deal'), ('MONEY', 'Deposits, withdrawals, bonuses'), ('ACCOUNT', 'My account'), ('OTHER', 'Something else')], max_length=10, verbose_name='about')),
                ('evidence', models.JSONField(null=True, verbose_name='evidence')),
                ('state', models.CharField(choices=[('OPEN', 'waiting for our answer'), ('ANSWERED', 'answered'), ('CLOSED', 'closed')], default='OPEN', max_length=10, verbose_name='state')),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='opened')),
                ('changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='last message')),
                ('deal', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.deal', verbose_name='deal')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='support_cases', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'support case',
                'verbose_name_plural': 'support cases',
                'permissions': [('answer_supportcase', 'Can answer and close support cases')],
            },
        ),
        migrations.CreateModel(
            name='SupportMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_answer', models.BooleanField()),
                ('text', models.CharField(max_length=2000)),
                ('written_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='tables.supportcase')),
            ],
            options={
                'verbose_name': 'message to the staff',
                'verbose_name_plural': 'messages to the staff',
            },
        ),
        migrations.AddIndex(
            model_name='supportcase',
            index=models.Index(fields=['state', 'changed_at'], name='support_cases_by_state'),
        ),
        migrations.AddIndex(
            model_name='supportcase',
            index=models.Index(fields=['user', '-id'], name='support_cases_of_a_player'),
        ),
        migrations.AddConstraint(
            model_name='supportcase',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('deal__isnull', False), ('evidence__isnull', False), ('topic', 'DEAL')), models.Q(models.Q(('topic', 'DEAL'), _negated=True), ('deal__isnull', True), ('evidence__isnull', True)), _connector='OR'), name='a_case_about_a_deal_has_it_and_its_evidence'),
        ),
    ]
