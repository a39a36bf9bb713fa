"""The ground floor: what every app uses and nothing of ours lies below. No models."""
