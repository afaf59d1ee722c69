"""One file a format, each one function: verdicts and audience in, text out."""
