"""Trials of Epitome for Windows under Wine, one module for each way to use it."""
