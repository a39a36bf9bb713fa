"""A user model as old sites have them: integer key, a handle to sign in with, addresses that may be doubled."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models


class Visible(BaseUserManager[Any]):
    """Hides the users whom the site has erased, as a site does that keeps their rows for its books."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().exclude(handle__startswith="erased-")


class Person(PermissionsMixin, AbstractBaseUser):
    """One of the site's people."""

    handle = models.CharField(max_length=60, unique=True)
    contact = models.EmailField(blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    nickname = models.CharField(max_length=40, default="nobody")

    objects: ClassVar[BaseUserManager[Any]] = Visible()

    USERNAME_FIELD = "handle"
    EMAIL_FIELD = "contact"
