from django.db import migrations, models

import events.networks
from core.db.online_indexes import AddIndexOnline


class Migration(migrations.Migration):

    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [
        ('authsvc_accounts', '0021_link_codes'),
    ]

    operations = [
        AddIndexOnline(
            model_name='event',
            index=models.Index(events.networks.NetworkOf('ip'), models.OrderBy(models.F('id'), descending=True), condition=models.Q(('ip', ''), _negated=True), name='authsvc_event_network'),
        ),
    ]
