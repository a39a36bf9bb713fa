"""Reports: each module gathers its facts and then builds, purely, what is answered."""
