"""Template tags of the interface."""
from django import template

register = template.Library()
