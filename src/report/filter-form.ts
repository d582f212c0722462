import { LABELS } from "../core/intervention.ts";
import { OUTCOMES } from "../task/outcome.ts";
import { type Arm, armLabel } from "./arms.ts";
import { html, type Markup } from "./markup.ts";
import { OUTCOME_NAMES } from "./theme.ts";

/** The filter above the list of answers. It needs the script, so it is hidden until that runs. */
export function filterForm(arms: readonly Arm[]): Markup {
  const domains = new Set(arms.flatMap(({ run }) => run.header.traces.map(({ domain }) => domain)));
  const failed = arms.some(({ run }) => run.errors.length > 0) ? [["failed", "failed"]] : [];
  return html`<form id="filter" hidden>
${choice(
  "arm",
  "any arm",
  arms.map((arm) => [String(arm.number), armLabel(arm, 40)]),
)}
${choice("outcome", "any outcome", [...OUTCOMES.map((outcome) => [outcome, OUTCOME_NAMES[outcome]]), ...failed])}
${choice(
  "gold",
  "any gold label",
  LABELS.map((label) => [label, label]),
)}
${choice(
  "domain",
  "any domain",
  [...domains].sort().map((domain) => [domain, domain]),
)}
<label>text <input name="text" type="search" autocomplete="off"></label>
<button type="reset">Show all</button>
<output id="shown" aria-live="polite"></output>
</form>`;
}

function choice(name: string, any: string, options: readonly (readonly string[])[]): Markup {
  return html`<label>${name} <select name="${name}"><option value="">${any}</option>${options.map(
    ([value = "", text = ""]) => html`<option value="${value}">${text}</option>`,
  )}</select></label>`;
}

/**
 * The page's only script. It hides traces that do not fit the filter, and opens the trace that the
 * address names. It holds no data and builds no markup.
 */
export const FILTER_SCRIPT = `(() => {
  const form = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const missing = document.getElementById("missing");
  const items = [...document.querySelectorAll("details.trace")];
  const fits = (item, { arm, outcome, gold, domain, text }) =>
    (!gold || item.dataset.gold === gold) &&
    (!domain || item.dataset.domain === domain) &&
    item.dataset.outcomes.split(" ").some((each) => {
      const [number, name] = each.split(":");
      return (!arm || number === arm) && (!outcome || name === outcome);
    }) &&
    (!text || item.textContent.toLowerCase().includes(text.toLowerCase()));
  const apply = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const isAll = Object.values(wanted).every((value) => value === "");
    let count = 0;
    for (const item of items) {
      item.hidden = !isAll && !fits(item, wanted);
      if (!item.hidden) count++;
    }
    shown.textContent = count + " of " + items.length + " traces";
  };
  const openNamed = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch {}
    const target = document.getElementById(name);
    missing.hidden = name === "" || target !== null;
    missing.textContent = missing.hidden ? "" : "The address names " + name + ", which is not in this report.";
    if (!missing.hidden) { missing.scrollIntoView(); return; }
    const item = target?.closest("details.trace");
    if (!item) return;
    if (item.hidden) { form.reset(); apply(); }
    item.open = true;
    item.scrollIntoView();
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  addEventListener("hashchange", openNamed);
  form.hidden = false;
  apply();
  openNamed();
})();`;
