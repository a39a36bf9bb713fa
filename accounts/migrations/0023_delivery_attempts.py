
import core.db.ids
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0022_events_by_network'),
    ]

    operations = [
        migrations.CreateModel(
            name='DeliveryAttempt',
            fields=[
                ('id', models.UUIDField(default=core.db.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('delivery_id', models.UUIDField()),
                ('number', models.PositiveSmallIntegerField()),
                ('started_at', models.DateTimeField()),
                ('response_code', models.PositiveSmallIntegerField(null=True)),
                ('error', models.CharField(blank=True, max_length=200)),
                ('beginning', models.CharField(blank=True, max_length=500)),
                ('duration_ms', models.PositiveIntegerField()),
            ],
            options={
                'verbose_name': 'attempt of a webhook delivery',
                'verbose_name_plural': 'attempts of webhook deliveries',
                'indexes': [models.Index(fields=['delivery_id'], name='authsvc_attempt_delivery')],
            },
        ),
    ]
