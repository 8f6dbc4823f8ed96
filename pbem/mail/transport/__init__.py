"""SMTP, LMTP, IMAP, Maildir and webhooks."""
