"""The commands, grouped by purpose."""
