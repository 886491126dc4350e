"""Tables with many rows."""
