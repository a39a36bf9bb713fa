"""A user model of an old site: an integer key, a handle as login name, and addresses that may repeat."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models


class Visible(BaseUserManager[Any]):
    """Exclude the users that the site has erased but keeps as rows."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().exclude(handle__startswith="erased-")


class Person(PermissionsMixin, AbstractBaseUser):
    """A user of the site."""

    handle = models.CharField(max_length=60, unique=True)
    contact = models.EmailField(blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    nickname = models.CharField(max_length=40, default="nobody")

    objects: ClassVar[BaseUserManager[Any]] = Visible()

    USERNAME_FIELD = "handle"
    EMAIL_FIELD = "contact"
