"""Processes that run jobs: engine children, queue lanes, detached jobs."""
