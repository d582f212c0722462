import { LABELS, type Parses, parse, SCHEMES, score } from "../../src/index.ts";
import { byId, h } from "./dom.ts";
import { outcomeView } from "./result-view.ts";
import { SAMPLES } from "./samples.ts";
import { table } from "./table.ts";
import { SCHEME_NAMES } from "./totals.ts";
import { REASONS, RUNGS, showPrice } from "./words.ts";

/** The text box: both readings of an answer as it is typed, and what it would earn. */
export function startReaderView(): void {
  const answer = byId("answer", HTMLTextAreaElement);
  const cut = byId("cut", HTMLInputElement);
  const show = () => {
    const finish = cut.checked ? "length" : "stop";
    byId("readings", HTMLElement).replaceChildren(...readingsView(parse(answer.value)));
    byId("pays", HTMLElement).replaceChildren(paysView(answer.value, finish));
  };
  const samples = SAMPLES.map(({ name, text }) => {
    const button = h("button", { type: "button" }, name);
    button.addEventListener("click", () => {
      answer.value = text;
      show();
    });
    return button;
  });
  byId("samples", HTMLElement).append(...samples);
  answer.value = SAMPLES[1]?.text ?? "";
  answer.addEventListener("input", show);
  cut.addEventListener("change", show);
  show();
}

function readingsView({ strict, lenient }: Parses): HTMLElement[] {
  const rung = `rung ${lenient.rung}, ${RUNGS[lenient.rung]}`;
  const strictWhy =
    strict.label === null
      ? `${REASONS[strict.reason]} (${strict.reason})`
      : "exactly the object that was asked for";
  const lenientWhy =
    lenient.label === null
      ? `${REASONS[lenient.reason]} (${lenient.reason}), decided by ${rung}`
      : `decided by ${rung}`;
  const several = "; several objects name a label, and the last one counts";
  return [
    readingView("strict", strict.label, strictWhy),
    readingView("lenient", lenient.label, lenientWhy + (lenient.multiple ? several : "")),
  ];
}

function readingView(name: string, label: string | null, why: string): HTMLElement {
  return h(
    "p",
    { class: label === null ? "reading unread" : "reading", "data-reading": name },
    h("span", { class: "which" }, `${name} `),
    h("strong", {}, label ?? "unreadable"),
    ` ${why}`,
  );
}

/** What the answer earns for each label that could be right: none of them is given away. */
function paysView(answer: string, finish: string): HTMLElement {
  const rows = LABELS.map((gold) => {
    const { payments } = score({ gold, answer, finish });
    const outcome = payments[SCHEMES.symmetric.name]?.outcome ?? "unreadable";
    return {
      head: h("span", {}, h("span", { class: "if-right" }, gold), outcomeView(outcome)),
      cells: SCHEME_NAMES.map((scheme) => showPrice(payments[scheme]?.reward ?? Number.NaN)),
    };
  });
  const columns = ["if right is", ...SCHEME_NAMES].map((name, at) => ({
    name,
    isNumber: at > 0,
  }));
  return table("What it earns", columns, rows);
}
