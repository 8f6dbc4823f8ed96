"""Charts, stamps and postcards drawn as SVG."""
