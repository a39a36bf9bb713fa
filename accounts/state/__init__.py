"""The state of an account: its lookup, its epoch, its mailed tokens and its proven address."""
