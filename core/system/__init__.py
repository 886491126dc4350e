"""Processes, their limits and the machine they run on."""
