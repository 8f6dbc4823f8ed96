"""Mail bytes and addresses. Only this package reads, writes and sends mail."""
