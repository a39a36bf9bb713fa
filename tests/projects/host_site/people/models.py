"""A user model as old sites have them: integer key, a handle to sign in with, addresses that may be doubled."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models


class Person(PermissionsMixin, AbstractBaseUser):
    """One of the site's people."""

    handle = models.CharField(max_length=60, unique=True)
    contact = models.EmailField(blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    nickname = models.CharField(max_length=40, default="nobody")

    objects: ClassVar[BaseUserManager[Any]] = BaseUserManager()

    USERNAME_FIELD = "handle"
    EMAIL_FIELD = "contact"
