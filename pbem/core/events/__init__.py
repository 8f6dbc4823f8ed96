"""Events: tables, schedules, divisions, ladders, from results alone."""
