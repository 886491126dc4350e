"""What all widgets need: painting, focus, keys, numbers, events of other widgets."""
