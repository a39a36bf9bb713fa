"""The applications that sign people in here, in the view of an operator."""
