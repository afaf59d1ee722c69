"""The untrusted side: runs beside the learner's code, standard library only, knows no grader."""
