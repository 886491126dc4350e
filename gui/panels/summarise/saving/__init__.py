"""What is saved, copied and exported."""
