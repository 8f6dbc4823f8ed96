"""Time controls, clocks, days off and intervals."""
