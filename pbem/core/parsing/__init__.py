"""Commands and moves read from the words of a mail."""
