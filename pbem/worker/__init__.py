"""The background worker: files mail, looks at clocks, sends letters."""
