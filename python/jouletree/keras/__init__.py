"""Keras models, through their export to ONNX.

Nothing here imports Keras or TensorFlow before a model asks for it.
"""
