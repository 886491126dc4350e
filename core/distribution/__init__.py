"""Packages, optional parts, resources and releases of an installation."""
