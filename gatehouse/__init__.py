"""The package that an installation of the wheel has. In the wheel the apps lie below it, and in the checkout beside it."""
