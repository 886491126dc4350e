"""Jobs that read and describe documents."""
