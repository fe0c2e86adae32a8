"""From a trace to a decision: a failure comes in, a person decides."""
