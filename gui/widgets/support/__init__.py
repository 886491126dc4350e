"""Common ground of all widgets: painting, focus, keys, numbers, events of other widgets."""
