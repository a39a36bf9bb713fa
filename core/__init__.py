"""The code that every app uses. The package defines no models and imports no other code of the service."""
