"""A web service: post the YAML of your cards, get the picture of one, or all as a PDF.

To start it, run `uvicorn service:app`, for more cores with `--workers 2`. To try it, run
`curl --data-binary @cards.yaml "localhost:8000/preview?card=ace" > ace.png`.
"""

import asyncio
import io
import time
from collections.abc import Callable

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse

import cardgen

MOST_BYTES, MOST_SECONDS, MOST_AT_ONCE = 65_536, 20.0, 8  # per request, per request, per process

FACE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 69.5 94.9">
<rect width="69.5" height="94.9" fill="#fff"/>
<text x="10" y="20" font-size="6" font-family="IBM Plex Sans">{{ card.name }}</text></svg>"""
SCHEMA = """{"properties": {"cards": {"maxItems": 100, "items": {"properties": {
"copies": {"type": "integer", "minimum": 0, "maximum": 9}}}}}}"""
GAME = """{id: deck, title: Deck, version: 1.0.0, author: A, language: en, players: {min: 2, max: 2},
components: {cards: {title: Cards, kind: card, trim: poker, data: cards.yaml, schema: cards.schema.json,
face: card.svg}}, sheets: {poker: {layout: poker, components: [cards]}}}"""
FILES = {
    "data/deck/game.yaml": GAME,
    "schemas/deck/cards.schema.json": SCHEMA,
    "templates/deck/card.svg": FACE,
}

Progress = Callable[[str, int, int], None]
app = FastAPI()
at_once = asyncio.Semaphore(MOST_AT_ONCE)


async def answer(request: Request, media: str, make: Callable[[cardgen.Game, Progress], bytes]) -> Response:
    if at_once.locked():
        raise HTTPException(503, "too many requests at once", {"Retry-After": "1"})
    deadline = time.monotonic() + MOST_SECONDS

    def stop_late(step: str, done: int, total: int) -> None:
        if time.monotonic() > deadline:
            raise cardgen.Cancelled

    def work(cards: bytes) -> bytes:
        return make(cardgen.load({**FILES, "data/deck/cards.yaml": cards}, progress=stop_late), stop_late)

    async with at_once:
        try:
            body = await asyncio.wait_for(read(request), MOST_SECONDS)
            return Response(await asyncio.to_thread(work, body), media_type=media)
        except cardgen.CardgenError as error:  # the request is wrong: each finding has a line and a hint
            return JSONResponse([finding.as_json() for finding in error.findings], 422)
        except (cardgen.Cancelled, TimeoutError):
            raise HTTPException(504, f"this takes more than {MOST_SECONDS:g} seconds") from None


async def read(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise HTTPException(413, f"the cards have more than {MOST_BYTES} bytes")
    return body


@app.post("/preview")
async def preview(request: Request, card: str) -> Response:
    return await answer(
        request,
        "image/png",
        lambda game, progress: cardgen.render_card(game, card, dpi=150, progress=progress),
    )


@app.post("/print")
async def print_all(request: Request) -> Response:
    def make(game: cardgen.Game, progress: Progress) -> bytes:
        art, pdf = cardgen.render(game, progress=progress), io.BytesIO()
        cardgen.export(game, art, cardgen.impose(game, art, "poker", paper="a4"), pdf, progress=progress)
        return pdf.getvalue()

    return await answer(request, "application/pdf", make)
