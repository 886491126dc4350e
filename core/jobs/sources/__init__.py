"""What jobs read: files, folders, rows of tables, pasted text."""
