import type { MemoryEntry } from "../../src/index.ts";
import type { PlayTrace } from "./deck.ts";
import { h, literal } from "./dom.ts";

/** A situation, with nothing that tells its label. */
export function situationView({ task, memory, observation }: PlayTrace): HTMLElement[] {
  return [
    h("h3", {}, "Task"),
    h("p", {}, literal(task)),
    h("h3", {}, "Memory"),
    memory.length === 0
      ? h("p", { class: "hint" }, "empty")
      : h("ul", { class: "memory" }, ...memory.map(entryView)),
    h("h3", {}, "Observation"),
    h("div", { class: "observation" }, literal(observation)),
  ];
}

function entryView({ scope, text, saved }: MemoryEntry): HTMLElement {
  const when = saved === undefined ? "" : `, saved ${saved}`;
  return h("li", {}, h("span", { class: "scope" }, `${scope}${when}`), literal(text));
}
