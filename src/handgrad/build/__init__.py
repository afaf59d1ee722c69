"""Makes what learners get out of an exercise: starter, notebook, page, bundle."""
