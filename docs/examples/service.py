"""A web service: post the YAML of your cards, get the picture of one, or all as a PDF.

To start it, run `uvicorn service:app`, for more cores with `--workers 2`. To try it, run
`curl --data-binary @cards.yaml "localhost:8000/preview?card=ace" > ace.png`.
"""

import asyncio
import io
import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse

import cardgen

MOST_BYTES, MOST_SECONDS, MOST_AT_ONCE = 65_536, 20.0, 8  # per request, per request, per process
FILES = {
    "data/deck/game.yaml": """{id: deck, title: Deck, version: 1.0.0, author: A, language: en,
players: {min: 2, max: 2}, components: {cards: {title: Cards, kind: card, trim: poker, data: cards.yaml,
schema: cards.schema.json, face: card.svg}}, sheets: {poker: {layout: poker, components: [cards]}}}""",
    "schemas/deck/cards.schema.json": """{"properties": {"cards": {"maxItems": 100, "items":
{"properties": {"copies": {"type": "integer", "minimum": 0, "maximum": 9}}}}}}""",
    "templates/deck/card.svg": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 69.5 94.9">
<rect width="69.5" height="94.9" fill="#fff"/>
<text x="10" y="20" font-size="6" font-family="IBM Plex Sans">{{ card.name }}</text></svg>""",
}
app, at_once = FastAPI(), asyncio.Semaphore(MOST_AT_ONCE)


class Cards:
    def __init__(self) -> None:
        self.yaml, self.end = b"", time.monotonic() + MOST_SECONDS

    def stop_late(self, step: str, done: int, total: int) -> None:
        if time.monotonic() > self.end:
            raise cardgen.Cancelled

    def game(self) -> cardgen.Game:
        return cardgen.load({**FILES, "data/deck/cards.yaml": self.yaml}, progress=self.stop_late)


async def posted(request: Request) -> AsyncIterator[Cards]:
    if at_once.locked():
        raise HTTPException(503, "too many requests at once", {"Retry-After": "1"})
    async with at_once:
        cards = Cards()
        async with asyncio.timeout(MOST_SECONDS):
            async for part in request.stream():
                cards.yaml += part
                if len(cards.yaml) > MOST_BYTES:
                    raise HTTPException(413, f"the cards have more than {MOST_BYTES} bytes")
        yield cards


@app.exception_handler(cardgen.CardgenError)  # the request is wrong: each finding has a line and a hint
def answer_findings(_: Request, error: cardgen.CardgenError) -> Response:
    return JSONResponse([finding.as_json() for finding in error.findings], 422)


@app.exception_handler(cardgen.Cancelled)
@app.exception_handler(TimeoutError)
def answer_late(_: Request, error: Exception) -> Response:
    return Response(f"this takes more than {MOST_SECONDS:g} seconds", 504)


@app.post("/preview")
def preview(card: str, cards: Annotated[Cards, Depends(posted)]) -> Response:
    png = cardgen.render_card(cards.game(), card, dpi=150, progress=cards.stop_late)
    return Response(png, media_type="image/png")


@app.post("/print")
def print_all(cards: Annotated[Cards, Depends(posted)]) -> Response:
    game, pdf = cards.game(), io.BytesIO()
    art = cardgen.render(game, progress=cards.stop_late)
    cardgen.export(game, art, cardgen.impose(game, art, "poker", paper="a4"), pdf, progress=cards.stop_late)
    return Response(pdf.getvalue(), media_type="application/pdf")
