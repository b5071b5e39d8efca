"""Run templates and rules in a counted sandbox."""
