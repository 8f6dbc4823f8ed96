"""What `pbem COMMAND` does, one module for each kind of command."""
