"""Files to download: records, pictures, feeds, calendars."""
