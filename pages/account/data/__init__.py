"""The rooms of the person's own data: the file, the language, questions about them, and the deletion."""
