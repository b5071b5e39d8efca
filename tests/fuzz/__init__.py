"""Game packs, mutated: thousands of broken inputs, each of which must end in findings or in success.

    python -m tests.fuzz --seconds 3600 --seed 7 --role template

`seeds` has what is mutated, `odd` the odd values, `trees`, `markup`, `words` and `binary` the mutations,
`making` puts a case together, `oracle` says what is wrong with an answer, `shrinking` makes a failing input
small. A case is one of `tests/hostile`, and a failing one is written as a file for it.
"""
