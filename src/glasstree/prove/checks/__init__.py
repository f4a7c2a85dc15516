"""Certificates are checked here in NumPy, one step each, without the kernels that found them."""
