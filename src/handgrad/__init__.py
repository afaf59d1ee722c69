"""handgrad: teaches backpropagation by hand, and grades it without being fooled."""

__version__ = "0.1.0"
