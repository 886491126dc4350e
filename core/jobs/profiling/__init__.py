"""Jobs that measure training steps."""
