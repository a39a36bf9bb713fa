"""The room of the devices and applications on which the person is signed in."""
