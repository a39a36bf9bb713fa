"""The WSGI application of the standalone project."""

import logging
import os

import django
from django.core.cache import close_caches
from django.core.handlers.base import reset_urlconf
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries

from .handler import Handler, close_failed_connection

# No other user of the machine may read a file of the service. manage.py sets the same mask.
os.umask(0o077)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django.setup(set_prefix=False)
application = Handler()

# These receivers took a fifth of the instructions of a token verification. The service uses no cache. Django records
# statements only in debug mode, and only a limited number. A failed connection is closed when its request ends, and no
# connection has a maximum age. The handler sets no URL conf that it would have to reset.
request_started.disconnect(reset_queries)
request_started.disconnect(close_old_connections)
request_finished.disconnect(close_caches)
request_finished.disconnect(reset_urlconf)
request_finished.disconnect(close_old_connections)
request_finished.connect(close_failed_connection)

# No log line contains the source position, the thread or the process, so logging need not determine them.
logging._srcfile = None  # noqa: SLF001 - as logging's own documentation advises
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
