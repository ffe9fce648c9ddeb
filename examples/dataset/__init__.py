"""The parts of examples/transformers_dataset.py."""
