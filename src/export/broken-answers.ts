import { sha256Mod } from "../core/hash.ts";
import type { Label } from "../core/intervention.ts";
import type { Trace } from "../core/trace.ts";
import { goldOf } from "./sft.ts";

/** What models write where a label should stand. */
const FOREIGN_WORDS: Readonly<Record<Label, string>> = {
  ACT: "PROCEED",
  ASK: "CLARIFY",
  WAIT: "PAUSE",
  REMEMBER: "SAVE",
  FORGET: "DELETE",
};

/** Ways in which real answers break the format; each makes the gold answer unreadable to the strict parse. */
const KINDS: readonly ((trace: Trace, gold: string) => string)[] = [
  ({ label, rationale }) => `The right intervention here is ${label}. ${rationale}`,
  (_, gold) => `Here is my decision:\n\n${gold}`,
  (_, gold) => `${gold}\n\nTell me if you would like more detail.`,
  (_, gold) => `\`\`\`json\n${gold}\n\`\`\``,
  (_, gold) => gold.slice(0, -1),
  (_, gold) => `${gold.slice(0, -1)},}`,
  ({ label }, gold) => gold.replace(`"${label}"`, `"${FOREIGN_WORDS[label]}"`),
  ({ label }, gold) => gold.replace("{", `{"intervention": "${label}", `),
  ({ label }) => `{"intervention": "${label}"}`,
  ({ label, rationale }) => `{intervention: ${label}, reason: ${JSON.stringify(rationale)}}`,
];

/** The gold answer in a form that the strict parse does not read; which form follows from the id. */
export function malformedAnswer(trace: Trace): string {
  const kind = KINDS[sha256Mod(`malformed/${trace.id}`, KINDS.length)] as (typeof KINDS)[number];
  return kind(trace, goldOf(trace));
}

/** The gold answer up to somewhere between a quarter and three quarters of its reason. */
export function cutOffAnswer(trace: Trace): string {
  const gold = goldOf(trace);
  const reason = JSON.stringify(trace.rationale).slice(1, -1);
  const percent = 25 + sha256Mod(`cut_off/${trace.id}`, 51);
  const kept = Math.floor((reason.length * percent) / 100);
  // A cut between the halves of a surrogate pair leaves half a character: drop it.
  return gold
    .slice(0, gold.length - '"}'.length - reason.length + kept)
    .replace(/[\ud800-\udbff]$/, "");
}
