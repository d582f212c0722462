import { OUTCOMES } from "../task/outcome.ts";
import { html, type Markup } from "./markup.ts";
import { OUTCOME_NAMES } from "./theme.ts";

/** Which colour stands for which outcome. */
export function outcomeKey(): Markup {
  return html`<span class="key">${OUTCOMES.map(
    (outcome) => html`<span class="${outcome}">${OUTCOME_NAMES[outcome]}</span> `,
  )}</span>`;
}
