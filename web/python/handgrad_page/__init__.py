"""What runs in the page's Python beside the judge."""
