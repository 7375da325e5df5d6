from django.db import migrations, models
import django.utils.timezone


class Migration(migrations.Migration):

    dependencies = [
        ('wallet', '0004_report_figures'),
    ]

    operations = [
        migrations.CreateModel(
            name='ProviderChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=40, verbose_name='provider')),
                ('valid_from', models.DateTimeField(default=django.utils.timezone.now, unique=True, verbose_name='valid from')),
            ],
            options={
                'verbose_name': 'choice of payment provider',
                'verbose_name_plural': 'choices of payment provider',
                'db_table': 'wallet_provider_choice',
            },
        ),
    ]
