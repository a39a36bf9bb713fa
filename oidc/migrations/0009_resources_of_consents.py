from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_oidc', '0008_clients_that_are_resources'),
    ]

    operations = [
        migrations.AddField(
            model_name='consent',
            name='resources',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
    ]
