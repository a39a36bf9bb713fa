"""Numbers, times, labels and lists of words in the language of the reader."""
