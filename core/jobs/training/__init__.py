"""Jobs that plan and train runs."""
