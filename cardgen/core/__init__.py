"""Values that stages hand on, and messages for people."""
