"""Numbers that describe candidates and their terms: the input of the models."""
