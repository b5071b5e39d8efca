"""A deck against its designer's rules, and reports about both."""
