"""The claims about a person, and the endpoint that returns them."""
