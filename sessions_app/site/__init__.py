"""Classes and functions that the code of a host project imports."""
