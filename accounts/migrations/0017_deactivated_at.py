from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0016_login_locks'),
    ]

    operations = [
        migrations.AddField(
            model_name='account',
            name='deactivated_at',
            field=models.DateTimeField(null=True),
        ),
    ]
