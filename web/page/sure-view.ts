import { bestChoice, breakEven, expectedRewards, LABELS, SCHEMES } from "../../src/index.ts";
import { byId, h } from "./dom.ts";
import { table } from "./table.ts";
import { SCHEME_NAMES, type SchemeName } from "./totals.ts";
import { showNumber, showTurn } from "./words.ts";

/** The slider: how the best choice moves with the probability of ACT, under each scheme's prices. */
export function startSureView(): void {
  const slider = byId("p", HTMLInputElement);
  const strips = SCHEME_NAMES.map((scheme) => ({ scheme, ...makeStrip(scheme) }));
  byId("strips", HTMLElement).append(...strips.map(({ element }) => element));
  const show = () => {
    const p = slider.valueAsNumber;
    const choices = SCHEME_NAMES.map((scheme) => `${scheme}: ${bestAt(scheme, p)}`);
    byId("p-value", HTMLOutputElement).value = p.toFixed(3);
    slider.setAttribute("aria-valuetext", `${p.toFixed(3)}; best choice ${choices.join(", ")}`);
    for (const { scheme, element, choice } of strips) {
      element.style.setProperty("--p", String(p));
      choice.textContent = bestAt(scheme, p);
    }
    byId("expected", HTMLElement).replaceChildren(expectedView(p));
  };
  slider.addEventListener("input", show);
  show();
}

/** All that is not on ACT is on one rival. */
function probabilitiesAt(p: number) {
  return { ACT: p, ASK: 1 - p, WAIT: 0, REMEMBER: 0, FORGET: 0 };
}

function bestAt(scheme: SchemeName, p: number): string {
  return bestChoice(SCHEMES[scheme], probabilitiesAt(p)) ?? "ACT or ASK, a tie";
}

/** Probabilities from 0 to 1, divided where the best choice changes; `--p` moves the pointer. */
function makeStrip(scheme: SchemeName): { element: HTMLElement; choice: HTMLElement } {
  const turn = breakEven(SCHEMES[scheme]);
  const choice = h("strong");
  const bar = h(
    "div",
    { class: "bar", "aria-hidden": "true" },
    h("span", { class: "hold" }, "ASK"),
    h("span", { class: "act" }, "ACT"),
    h("span", { class: "turn" }, showTurn(turn).replace(/^from | on$/g, "")),
    h("span", { class: "pointer" }),
  );
  const text = h("p", {}, `${scheme}: ACT ${showTurn(turn)}. Best now: `, choice);
  const element = h("div", { class: "strip" }, text, bar);
  element.style.setProperty("--turn", String(turn));
  return { element, choice };
}

function expectedView(p: number): HTMLElement {
  const expected = SCHEME_NAMES.map((scheme) =>
    expectedRewards(SCHEMES[scheme], probabilitiesAt(p)),
  );
  const best = SCHEME_NAMES.map((scheme) => bestChoice(SCHEMES[scheme], probabilitiesAt(p)));
  const rows = LABELS.map((label) => ({
    head: label,
    cells: expected.map((rewards, at) => {
      const shown = showNumber(rewards[label], 3);
      return best[at] === label ? h("strong", {}, `best ${shown}`) : shown;
    }),
  }));
  const garbage = {
    head: "unreadable",
    cells: SCHEME_NAMES.map((scheme) => showNumber(SCHEMES[scheme].prices.unreadable, 3)),
  };
  const columns = ["naming", ...SCHEME_NAMES].map((name, at) => ({ name, isNumber: at > 0 }));
  return table("Expected reward", columns, [...rows, garbage]);
}
