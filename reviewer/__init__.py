"""The house: the Django project, its people and keys, and the embedded runtime."""

__version__ = "0.1.0"
