"""What others have built for the same job, each in an environment of its own, under the same load as the service."""
