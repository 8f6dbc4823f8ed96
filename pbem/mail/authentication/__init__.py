"""Proofs of who sent a mail: DKIM, DMARC, Authentication-Results."""
