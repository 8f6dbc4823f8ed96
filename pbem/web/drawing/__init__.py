"""Charts and postcards drawn as SVG."""
