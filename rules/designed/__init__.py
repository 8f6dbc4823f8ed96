"""Games told in a designer's file of at most thirty lines, without code. `made.rules_from` reads one."""
