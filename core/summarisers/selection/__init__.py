"""The choice of candidates: utility, the order in which they are taken, and what fits a length."""
