"""Acts of operators on accounts, in the pages of the console. They call the functions of `manage.py users`."""
