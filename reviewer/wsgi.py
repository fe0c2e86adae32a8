"""The web process's entry point."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewer.settings")

application = get_wsgi_application()

# What is loaded by now stays: the collector need not look at it again. An export request makes tens of thousands of
# objects and hardly a cycle, so looking less often takes a third off the cost of reading one.
_ = get_resolver().url_patterns
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
