"""The edges where other programs call handgrad: nbgrader, pytest, GitHub."""
