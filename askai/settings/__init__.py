"""The settings of ask-AI that an operator stores."""
