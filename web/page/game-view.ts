import { DEFINITIONS, LABELS, type Label } from "../../src/index.ts";
import { byId, h } from "./dom.ts";
import { answered, type Game, isLast, isOver } from "./game.ts";
import { namedBy, resultView, verdictView } from "./result-view.ts";
import { situationView } from "./situation-view.ts";
import { totalsOf } from "./totals.ts";
import { totalsView } from "./totals-view.ts";

/** Makes the five buttons. */
export function makeChoices(onChoose: (label: Label) => void): void {
  const buttons = LABELS.map((label, at) => {
    const button = h(
      "button",
      { type: "button", "data-label": label },
      h("kbd", {}, String(at + 1)),
      h("span", {}, h("strong", {}, label), ` ${DEFINITIONS[label]}`),
      h("span", { class: "mark" }),
    );
    button.addEventListener("click", () => onChoose(label));
    return button;
  });
  byId("choices", HTMLElement).append(...buttons);
}

/** Shows where a game stands. */
export function showGame(game: Game): void {
  const { traces, at, played } = game;
  const trace = traces[at];
  byId("situation-title", HTMLElement).textContent = `Situation ${at + 1} of ${traces.length}`;
  byId("situation", HTMLElement).replaceChildren(...(trace ? situationView(trace) : []));
  showAnswer(game);
  byId("totals-note", HTMLElement).textContent = totalsNote(game);
  byId("again", HTMLButtonElement).hidden = !isOver(game);
  byId("totals", HTMLElement).replaceChildren(totalsView(totalsOf(played)));
}

function showAnswer(game: Game): void {
  const answer = answered(game);
  const named = answer && namedBy(answer);
  const gold = answer?.trace.label;
  for (const button of byId("choices", HTMLElement).querySelectorAll("button")) {
    const label = button.dataset["label"];
    const marks = [label === gold ? "✓ right" : "", label === named ? "yours" : ""];
    showMark(button, marks.filter((mark) => mark !== "").join(", "));
    button.disabled = answer !== null;
  }
  const next = byId("next", HTMLButtonElement);
  next.hidden = answer === null;
  next.textContent = isLast(game) ? "See the total" : "Next situation";
  byId("verdict", HTMLElement).replaceChildren(...(answer ? verdictView(answer) : []));
  byId("result", HTMLElement).replaceChildren(...(answer ? resultView(answer) : []));
}

function showMark(button: HTMLElement, text: string): void {
  const mark = button.querySelector(".mark");
  if (mark) mark.textContent = text;
  if (text === "") delete button.dataset["mark"];
  else button.dataset["mark"] = text;
}

function totalsNote({ played, traces, link }: Game): string {
  const words =
    link.part === "test"
      ? "The bag of words (baseline:words) was fitted on the train side."
      : "The bag of words is left out: it was fitted on these very traces.";
  const end = played.length === traces.length ? "That was the last one. " : "";
  return `${end}${played.length} of ${traces.length} answered. Every answer goes through the scorer that scores models. ${words}`;
}
