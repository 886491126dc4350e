"""Jobs that list, import, export and convert models."""
