"""The house: the Django project, its people and keys, and the embedded runtime."""
