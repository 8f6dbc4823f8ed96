"""What the figures in docs/performance.md are measured with: `.venv/bin/python -m benchmarks`."""
