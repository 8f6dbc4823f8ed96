"""Checks of DNS, certificates and TLS for operators."""
