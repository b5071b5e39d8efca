"""Export orders for the Corner Shop: a picture of each face, and a list with copies and prices."""

from cardgen.plugins import Exporter, ExportJob, Option, PlannedFile, side_picture

CENTS = {"plain": 12, "linen": 15}


def plan(job: ExportJob) -> list[PlannedFile]:
    paper = str(job.settings["paper"])
    rows: list[list[object]] = [["file", "copies", "width_mm", "height_mm", "cents"]]
    files = []
    for component in job.drawn:
        if component.trim is None:
            message = f"the shop needs one size, and '{component.id}' has several"
            job.findings.error("corner-shop/size", message)
            continue
        for piece in job.pieces(component):
            name = f"{component.id}/{piece.card.id}.png"
            files.append(side_picture(job, name, piece.face, dpi=job.dpi))
            size = component.trim
            cents = piece.copies * CENTS[paper]
            rows.append([name, piece.copies, size.width, size.height, cents])
    return [*files, PlannedFile.of_rows("order.csv", rows)]


EXPORTER = Exporter(
    "an order for the Corner Shop",
    plan=plan,
    options=("dpi", "images"),
    own=(Option("paper", "choose the paper", default="plain", choices=tuple(CENTS)),),
)
