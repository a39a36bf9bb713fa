"""The rooms of the account for the address, the credentials and the second factors."""
