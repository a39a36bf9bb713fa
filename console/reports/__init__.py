"""Reports. Each module first gathers facts, and then builds its report from them in a pure function."""
