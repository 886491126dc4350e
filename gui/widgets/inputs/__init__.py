"""Buttons, fields, menus, dialogs."""
