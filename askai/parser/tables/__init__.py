"""The words of each language. Each line of a table is `kind value: entries`; `lexicon` describes the notation."""
