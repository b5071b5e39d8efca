"""The counted sandbox in which templates and rules run."""
