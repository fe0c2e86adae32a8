"""Django's settings: one file, everything from the environment, embedded defaults where nothing is set.

Two ways to run. Embedded: no DATABASE_URL, so the database, the queue, the key and the mail folder are
those of the home that `reviewer/local.py` looks after. Production: DATABASE_URL and SECRET_KEY are given.
"""

from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from reviewer import env
from reviewer.home import Home

BASE_DIR = Path(__file__).resolve().parent.parent

env.text(
    "WHETSTONE_HOME",
    "",
    "State folder of the embedded instance: database, key, logs, mail.",
    shown="`.whetstone` in the checkout",
)
HOME = Home.current()

# --- which instance -------------------------------------------------------------------------------
DATABASE_URL = env.text(
    "DATABASE_URL",
    "",
    "PostgreSQL 15 or newer with pgvector 0.8 or newer. Unset means the embedded database of the home.",
    shown="the home’s own database",
)
EMBEDDED = not DATABASE_URL
DEBUG = env.flag("WHETSTONE_DEBUG", False, "For developers: tracebacks in the browser and the page of all components.")
DEMO = env.flag("WHETSTONE_DEMO", False, "The simulated shop, its three accounts and one-click sign-in. `up` sets it.")
PUBLIC_URL = env.text(
    "WHETSTONE_URL",
    "http://127.0.0.1:8000",
    "The address people and apps use. With https, cookies are secure and browsers are told to stay on it.",
).rstrip("/")
_public = urlsplit(PUBLIC_URL)
HTTPS = _public.scheme == "https"
if _public.scheme not in {"http", "https"} or not _public.hostname:
    raise ImproperlyConfigured(f"WHETSTONE_URL is {PUBLIC_URL!r}; use an address like https://whetstone.example.")

SECRET_KEY = env.text(
    "SECRET_KEY",
    "",
    "Signs sessions and links: 50 random characters or more, the same on every web machine.",
    shown="made once and kept in the home",
)
if not SECRET_KEY:
    if not EMBEDDED:
        raise ImproperlyConfigured("SECRET_KEY is not set. Set it to 50 random characters, the same everywhere.")
    SECRET_KEY = HOME.secret_key()

ALLOWED_HOSTS = env.names(
    "ALLOWED_HOSTS",
    "localhost,127.0.0.1,[::1]," + _public.hostname,
    "Host names this instance answers to.",
    shown="localhost and the host of WHETSTONE_URL",
)
CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"]
TRUSTED_PROXIES = env.number(
    "TRUSTED_PROXIES", 0, "How many proxies of yours stand in front; tells which client address to believe."
)

# --- the parts ------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "django_htmx",
    "template_partials",
    "reviewer.apps.ReviewerConfig",
    "issues.apps.IssuesConfig",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "reviewer.http.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "reviewer.urls"
WSGI_APPLICATION = "reviewer.wsgi.application"
APPEND_SLASH = False
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "reviewer.http.shell",
                "reviewer.demo.tour.guide",
            ],
            "builtins": ["reviewer.templatetags.ui", "template_partials.templatetags.partials"],
        },
    }
]

# --- database and queue ---------------------------------------------------------------------------
DATABASES = {"default": dj_database_url.parse(DATABASE_URL or HOME.database_url)}
DATABASES["default"]["OPTIONS"] = {
    **DATABASES["default"].get("OPTIONS", {}),
    "pool": {
        "min_size": 1,
        "max_size": env.number("DATABASE_POOL", 8, "Most database connections one process keeps.", least=1),
        "timeout": 10,
    },
    "prepare_threshold": 5
    if env.flag("DATABASE_PREPARE", True, "Off behind a pooler that cannot keep prepared statements.")
    else None,
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = env.text(
    "CELERY_BROKER_URL",
    "pgmq://",
    "Redis (`redis://…`), RabbitMQ (`amqp://…`) or `pgmq://`, which keeps the queue in the same PostgreSQL.",
)
TASK_LEASE = 40
"""Seconds after which a task whose worker died is given to another; tasks are stopped before that."""

# --- intake ---------------------------------------------------------------------------------------
INTAKE_MAX_BYTES = 2**20 * env.number(
    "INTAKE_MAX_MB", 64, "Most megabytes one intake request may hold, before and after decompression.", least=1
)
INTAKE_PENDING_LIMIT = env.number(
    "INTAKE_PENDING_LIMIT",
    200_000,
    "When more changed traces than this wait for the worker, the intake answers 429 and clients retry.",
    least=1,
)

# --- people ---------------------------------------------------------------------------------------
AUTH_USER_MODEL = "reviewer.User"
AUTHENTICATION_BACKENDS = ["reviewer.people.SignInBackend"]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "start"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email", "name")},
    },
]
PASSWORD_RESET_TIMEOUT = 60 * 60 * 24
SESSION_COOKIE_AGE = 60 * 60 * 24 * env.number("SESSION_DAYS", 14, "Days until a person signs in again.", least=1)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "whetstone_session"
CSRF_COOKIE_NAME = "whetstone_csrf"
CSRF_COOKIE_HTTPONLY = True

# --- mail -----------------------------------------------------------------------------------------
EMAIL_URL = env.text(
    "EMAIL_URL",
    "",
    "How mail leaves: `smtp://user:password@host:587?tls=1` (or `smtps://`). "
    "Unset: embedded instances write mail to files in the home; others send none.",
    shown="none",
)
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "Whetstone <whetstone@localhost>", "The sender of our mail.")
MAIL_WORKS = bool(EMAIL_URL) or EMBEDDED
if EMAIL_URL:
    _mail = urlsplit(EMAIL_URL)
    if _mail.scheme not in {"smtp", "smtps"}:
        raise ImproperlyConfigured("EMAIL_URL must start with smtp:// or smtps://.")
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = _mail.hostname or "localhost"
    EMAIL_PORT = _mail.port or (465 if _mail.scheme == "smtps" else 587)
    EMAIL_HOST_USER = _mail.username or ""
    EMAIL_HOST_PASSWORD = _mail.password or ""
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_USE_TLS = not EMAIL_USE_SSL and "tls=1" in _mail.query
    EMAIL_TIMEOUT = 15
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = str(HOME.mail)

# --- pages ----------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
USE_I18N = False
TIME_ZONE = env.text("TIME_ZONE", "UTC", "The zone in which pages show times.")
USE_TZ = True
USE_THOUSAND_SEPARATOR = True
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = env.text(
    "STATIC_ROOT",
    str(HOME.static if EMBEDDED else BASE_DIR / "staticfiles"),
    "Where `collectstatic` puts the files that web processes serve.",
    shown="`static` in the home, else `staticfiles` in the checkout",
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# --- safety ---------------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = HTTPS and env.flag("SSL_REDIRECT", True, "Send plain http to https, when WHETSTONE_URL is https.")
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "reviewer.views.errors.csrf_failure"

LOG_LEVEL = env.text("LOG_LEVEL", "INFO", "How much is logged: DEBUG, INFO, WARNING or ERROR.").upper()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django.request": {"level": "ERROR"},
        # One line for each wake-up would bury everything else.
        **{
            name: {"level": LOG_LEVEL if LOG_LEVEL == "DEBUG" else "WARNING"}
            for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace", "pgmq")
        },
    },
}
