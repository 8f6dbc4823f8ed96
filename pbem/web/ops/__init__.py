"""Pages for machines: status, metrics, webhooks."""
