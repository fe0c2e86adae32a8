"""From a decision to a shipped, watched change."""
