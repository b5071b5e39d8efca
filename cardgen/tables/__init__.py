"""Tables as spreadsheet programs keep them: CSV, TSV, XLSX and ODS, from bytes to rows.

    table = reading.read_table(raw, "data/fox/deck.xlsx", "Cards", findings)
    for row in table.rows:
        for column, value in zip(table.columns, row.cells): ...

`reading.read_table` gives values as the file has them; what type one is to be is the reader's business. A
file may be a stranger's: sizes, rows and cells are bounded, and whatever is wrong is a finding that names
the cell.
"""
