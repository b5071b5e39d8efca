"""Text and a box to glyphs with positions: fonts by file, shaping, line breaking, fitting.

    book = FontBook(paths)
    style = Style(book.face("IBM Plex Sans", 400, False), size=3.0, fill=(0, 0, 0))
    composed = compose([Paragraph([Span("Draw 2", style), IconSpan("card", style)])], box, Options())

`compose` fills a box, `set_line` sets one unwrapped line at a point; both return `Composed`, whose
`runs` go into a `model.artwork.SetText`. Nothing here reports findings: what did not fit and which
characters the font lacks are fields of `Composed`.
"""
