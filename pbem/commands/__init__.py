"""The commands `pbem COMMAND`, one module for each group."""
