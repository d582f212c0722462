import type { Trace } from "../core/trace.ts";
import { html, type Markup } from "./markup.ts";
import { shownText } from "./text-budget.ts";

/** Memory entries that are shown; a note tells of the others. */
const ENTRIES = 20;

/** The texts of a situation that the page shows; none when no set was given. */
export function textsOf(trace: Trace | undefined): string[] {
  if (trace === undefined) return [];
  return fieldsOf(trace).map(([, text]) => text);
}

/** A trace's situation and why its label is right. */
export function situationView(trace: Trace | undefined, share: number): Markup | null {
  if (trace === undefined) return null;
  const left = trace.memory.length - ENTRIES;
  return html`<dl class="situation">${fieldsOf(trace).map(
    ([name, text]) =>
      html`<dt>${name}</dt><dd>${shownText(text, share, { tag: "div", name, rest: "the scenario set" })}</dd>`,
  )}</dl>${left > 0 ? html`<p class="note">${left} more memory entries are in the scenario set</p>` : null}`;
}

function fieldsOf({ task, memory, observation, label, rationale }: Trace): [string, string][] {
  return [
    ["task", task],
    ...memory.slice(0, ENTRIES).map(({ scope, text }): [string, string] => {
      return [`memory, ${scope}`, text];
    }),
    ["observation", observation],
    [`why ${label}`, rationale],
  ];
}
