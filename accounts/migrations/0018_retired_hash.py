from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0017_deactivated_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='account',
            name='retired_hash',
            field=models.TextField(db_default='', default=''),
        ),
    ]
