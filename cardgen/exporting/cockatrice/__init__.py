"""`--to cockatrice`: a card database, pictures and decks for Cockatrice."""
