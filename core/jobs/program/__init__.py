"""Jobs on the program itself: its parts and the machine."""
