"""Game records: made, checked, signed, studied."""
