import type { Label } from "../../src/index.ts";
import type { Deck } from "./deck.ts";
import { byId, literal } from "./dom.ts";
import { answered, decide, type Game, goOn, isLast, newGame, playAgain } from "./game.ts";
import { makeChoices, showGame } from "./game-view.ts";
import { listenToKeys } from "./keys.ts";
import { readLink, toLink, writeLink } from "./link.ts";
import { startReaderView } from "./reader-view.ts";
import { startSureView } from "./sure-view.ts";

const deck = JSON.parse(byId("deck", HTMLScriptElement).text) as Deck;
const { name, version, licence, canary } = deck.set;
byId("source", HTMLElement).replaceChildren(
  literal(`${name} ${version}, ${licence ?? "no licence stated"}. ${canary ?? ""}`),
);
const seed = byId("seed", HTMLInputElement);
const part = byId("part", HTMLSelectElement);
let game: Game;

function show(next: Game): void {
  game = next;
  showGame(game);
}

/** Begins what the address names. */
function begin(): void {
  const link = readLink(location.hash);
  seed.value = link.seed;
  part.value = link.part;
  show(newGame(deck, link));
}

function choose(label: Label): void {
  if (answered(game)) return;
  show(decide(game, label));
  byId("next", HTMLButtonElement).focus();
}

function next(): void {
  if (!answered(game)) return;
  // After the last one there is only the total to look at: the key that goes on must not wipe it.
  const place = isLast(game) ? "totals-title" : "situation-title";
  show(goOn(game));
  byId(place, HTMLElement).focus();
}

function again(): void {
  show(playAgain(game));
  byId("situation-title", HTMLElement).focus();
}

function startOver(): void {
  const hash = writeLink(toLink(seed.value, part.value));
  if (hash === location.hash) begin();
  else location.hash = hash;
}

for (const id of ["order", "play"]) byId(id, HTMLElement).hidden = false;
makeChoices(choose);
listenToKeys({ isOn: () => byId("keys", HTMLInputElement).checked, choose, next });
byId("next", HTMLButtonElement).addEventListener("click", next);
byId("again", HTMLButtonElement).addEventListener("click", again);
part.addEventListener("change", startOver);
byId("order", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  startOver();
});
addEventListener("hashchange", begin);
begin();
startSureView();
startReaderView();
