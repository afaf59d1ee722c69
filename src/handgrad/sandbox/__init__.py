"""Starts workers and puts limits on them."""
