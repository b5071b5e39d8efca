"""Games as files for other programs, shops and machines."""
