"""Sources of jobs: files, folders, rows of tables, pasted text."""
