"""The parts that all pages share: the class of a page, the browser's session, forms, languages and time zones."""
