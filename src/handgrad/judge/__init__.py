"""The trusted side: asks the questions, holds the learner's objects from outside, decides."""
