"""The queue of jobs that outlive the window, and the trash."""
