"""Files: safe reading and writing, formats that last, arrays on disk."""
