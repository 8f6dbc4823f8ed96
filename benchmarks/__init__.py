"""What the figures in benchmarks/README.md are measured with: `.venv/bin/python -m benchmarks`."""
