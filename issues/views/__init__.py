"""What people and applications meet of finding."""
