"""What was installed: packages, optional parts, resources, releases."""
