"""The frame of the window: rail, status bar, toasts."""
