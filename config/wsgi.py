"""The WSGI application of the standalone project."""

import logging
import os

from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, reset_queries

# No other user of the machine may read a file of the service. manage.py sets the same mask.
os.umask(0o077)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# These receivers took a sixth of the time of a token verification. The service uses no cache. Django records statements
# only in debug mode, and only a limited number. A failed connection is closed when its request ends, and no connection
# has a maximum age.
request_started.disconnect(reset_queries)
request_started.disconnect(close_old_connections)
request_finished.disconnect(close_caches)

# No log line contains the source position, the thread or the process, so logging need not determine them.
logging._srcfile = None  # noqa: SLF001 - as logging's own documentation advises
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
