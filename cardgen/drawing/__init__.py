"""Artwork → PDF: cairo draws pictures, we set type, somebody else writes the book.

    store = ArtStore.open(project_root, "night-market")       # or ArtStore.memory()
    drawn = draw(rendering, fontbook, store)             # DrawnArt; DrawingError lists all trouble
    store.save()

**For exporters.** `drawn.faces[artwork_key]` is a `DrawnFace`: the `name` of a Form XObject that
covers the side's size in points from (0, 0), y up, bleed included. `drawn.objects(artwork_keys)` yields
every `PdfObject` those sides need, fonts and images among them, each once, references first. A writer
gives every object a number and writes `obj.body(ref)`, where `ref(name)` answers `b"12 0 R"`:

    class Blob(pdfdoc.PDFObject):                        # ReportLab
        __RefOnly__ = 1
        def __init__(self, obj, ref): self.obj, self.ref = obj, ref
        def format(self, document): return self.obj.body(self.ref)

    numbers = {}
    for obj in drawn.objects(keys):
        number = document.Reference(Blob(obj, numbers.__getitem__), f"cg-{obj.name}")
        numbers[obj.name] = number.format(document)      # b"12 0 R"
    # the face forms must carry the name that `canvas.doForm` looks up:
    #   face = drawn.faces[key]; internal name = document.getXObjectName(f"face-{face.name}")
    # place with: saveState · clip path · transform(…) · doForm(…) · restoreState

Streams are compressed already. Writers never look into heads or streams. Fonts are subset for the
whole rendering, so that all files of a build share the same bytes.

`raster.rasterise` gives pixels of the same objects, `legibility.contrasts` measures text against
what lies beneath it.
"""
