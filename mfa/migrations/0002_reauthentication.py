from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_mfa', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='ceremony',
            name='purpose',
            field=models.CharField(choices=[('register', 'Register'), ('login', 'Login'), ('reauth', 'Reauthenticate')], max_length=10),
        ),
    ]
