"""Mail bytes and addresses: the only package that reads, writes and sends mail."""
