"""`--to png`: every side as a picture, numbered as in the data; and one side by itself, for proofs."""
