"""Commands of `pbem`, one module for each kind."""
