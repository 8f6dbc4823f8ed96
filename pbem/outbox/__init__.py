"""Letters on their way out: written, queued, sent, bounced."""
