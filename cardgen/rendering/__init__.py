"""Cards to artwork: Jinja2 templates to SVG, SVG to pictures and set text in paint order.

    rendering = render_cards(game, game.cards(), paths, fontbook, findings=findings)

The way through: `templates` renders a template in the counted sandbox (`templating`, `functions`,
`markdown`); `splitting` takes the result apart and turns each element into set text (`text`) or a picture
(`pictures`, `images`, `icons`); `side_findings` puts problems at the right line of the right file.
`marked_sides` lays out what it can of a side in error, to be looked at, with `marks` where the trouble is.
docs/templates.md is the designer's view.
"""
