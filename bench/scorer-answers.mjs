import { randomStream } from "../dist/core/random.js";
import { LABELS, lettersAt } from "../dist/index.js";

const REASONS = [
  "The migration has not been approved by the database owner, and the runbook asks for that first.",
  "CI is green and the reviewer signed off, so nothing else is needed before the deploy.",
  "The nightly export is still running; its row count decides which branch we take.",
  "The customer now prefers invoices by e-mail, which later steps of this project rely on.",
  "The note about the old VPN endpoint is stale: it was replaced on Monday (see the caf\u00e9 thread).",
];
const ACCOUNTS = [
  "Looking at the latest observation, the check has finished and the result is in line with what the task expects.",
  "The memory says that the owner wants to be told before anything is written to production.",
  "There are two open points: who signs, and when the window closes. Neither has been answered so far.",
];

/** One answer of each kind, as models really write them; `letters` where it replies to choices. */
const KINDS = {
  "strict JSON": (label, reason) => ({ answer: object(label, reason) }),
  "fenced JSON": (label, reason, account) => ({
    answer: `${account}\n\n\`\`\`json\n${object(label, reason)}\n\`\`\``,
  }),
  "prose with a declaration": (label, reason, account) => ({
    answer: `${account} ${reason}\n\n**Final answer:** ${label}`,
  }),
  "bare label": (label) => ({ answer: `${label}.` }),
  "think block": (label, reason, account) => ({
    answer: `<think>\n${account} I could ACT now, but ${reason}\n</think>\n\n${object(label, reason)}`,
  }),
  "cut off": (label, reason) => ({
    answer: object(label, `${reason} Besides, the`).slice(0, -2),
    finish: "length",
  }),
  "prose without a declaration": (label, reason, account) => ({
    answer: `Sure! ${account} I would ${label} here, since ${reason}`,
  }),
  "bare letter": (label, _reason, _account, letters) => ({
    answer: letterFor(label, letters),
    letters,
  }),
  "lettered prose": (label, reason, account, letters) => ({
    answer: `${account} ${reason}\nAnswer: ${letterFor(label, letters)}) ${label}`,
    letters,
  }),
};

function object(label, reason) {
  return `{"intervention": "${label}", "reason": ${JSON.stringify(reason)}}`;
}

function letterFor(label, letters) {
  return "ABCDE"[letters.indexOf(label)];
}

/** `count` answers of each kind, in a mixed order: `{kind, gold, answer, finish?, letters?}`. */
export function mixedAnswers(count) {
  const random = randomStream(1, "bench answers");
  const pick = (items) => items[Math.floor(random() * items.length)];
  const rows = Array.from({ length: count }, () => Object.entries(KINDS)).flat();
  return rows
    .map(([kind, make]) => {
      const letters = lettersAt(Math.floor(random() * 5));
      const answer = make(pick(LABELS), pick(REASONS), pick(ACCOUNTS), letters);
      return { place: random(), row: { kind, gold: pick(LABELS), ...answer } };
    })
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

/** Answers of 64 KiB made to be slow; each takes time in proportion to its length, no more. */
export function hostileAnswers() {
  const fill = (unit, letters) => ({
    kind: `${JSON.stringify(unit)} over and over`,
    gold: "ASK",
    answer: unit.repeat(Math.floor(65_536 / unit.length)),
    ...(letters ? { letters: lettersAt(0) } : {}),
  });
  return [
    fill("{"),
    fill('{"intervention" '),
    fill("{}"),
    fill("ASK or "),
    fill("not ASK "),
    fill("ASK'"),
    fill("answer is "),
    fill("\n task"),
    fill("A) ASK ", true),
    fill("A ", true),
  ];
}
