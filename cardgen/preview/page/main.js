const grid = document.getElementById("grid");
const shown = new Map();

function place(card) {
  return `${card.component}/${card.id}`;
}

function show(card) {
  let image = shown.get(place(card));
  if (!image) {
    image = document.createElement("img");
    image.loading = "lazy";
    image.width = 240;
    image.alt = card.id;
    shown.set(place(card), image);
    grid.append(image);
  }
  if (card.face.key) image.src = `side/${card.face.key}.png?px=480`;
}

const state = await (await fetch("state.json")).json();
state.cards.forEach(show);
const events = new EventSource("events");
events.addEventListener("change", (event) => JSON.parse(event.data).cards.forEach(show));
