"""Files in and out: safely read, wholly written, in every format that users have."""
