"""What clients send, turned into our own records. Pure: imports neither Django nor Celery."""
