"""Check a deck against its designer's rules, and write reports."""
