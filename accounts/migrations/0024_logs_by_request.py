from django.db import migrations, models

import events.logs.columns
from core.db.online_indexes import AddIndexOnline


class Migration(migrations.Migration):

    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [
        ('authsvc_accounts', '0023_delivery_attempts'),
    ]

    operations = [
        AddIndexOnline(
            model_name='shippedlog',
            index=models.Index(events.logs.columns.RequestIdOf('fields'), models.OrderBy(models.F('id'), descending=True), name='authsvc_shipped_log_request'),
        ),
    ]
