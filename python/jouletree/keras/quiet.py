"""Exporters log what is not about the user's work; standard error is the user's."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGERS = ("tf2onnx", "tensorflow", "absl")


def _is_of_others(record: logging.LogRecord) -> bool:
    return "tf2onnx" not in record.pathname


@contextmanager
def quiet() -> Iterator[None]:
    """Also for those that log to the root, which would get a handler by that."""
    root = logging.getLogger()
    handlers = list(root.handlers)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    root.addFilter(_is_of_others)
    if not handlers:
        root.addHandler(logging.NullHandler())
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.removeFilter(_is_of_others)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
