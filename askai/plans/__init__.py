"""Plans: the closed language between the planners and the code that runs a plan."""
