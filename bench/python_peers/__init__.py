"""Parts of bench/compare_python.py. Each `main` prints a table and returns what was missed."""
