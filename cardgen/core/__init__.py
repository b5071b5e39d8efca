"""Values that stages pass on, and messages for people."""
