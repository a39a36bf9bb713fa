from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_oidc', '0007_devices'),
    ]

    operations = [
        migrations.AddField(
            model_name='client',
            name='serves',
            field=models.JSONField(db_default=[], default=list),
        ),
    ]
