"""A rulebook: Markdown to pages, each a side that drawing knows how to draw.

    look = resolve_look(game, component, fontbook, findings)          # colours, fonts, cover
    text = read_book(source, icons, findings)                         # elements
    book = lay_out(text, source, component, look, drawables, icons, findings)    # model.book.Book

The sides among `drawables` are the cards that `look.shown` and `text.refs()` name, and those on the table
if a diagram shows it, rendered; its places are what `text.names()` asks for. `commands.rulebooks` sees to
that. The way through: `markdown`, with `directives`, becomes `elements`; `story` turns these into
flowables: `blocks` (text), `stacks` (lists, call-outs), `table_blocks`, `figures`, `diagrams` (by the plans
of `spreading`), `contents`. Our own typesetting sets them, and `layout` lets them flow through ReportLab's
frames, with `painting` for a canvas; `cover` makes the pages that don't flow. Lengths are mm. Nothing here
draws, and nothing knows a game.
"""
