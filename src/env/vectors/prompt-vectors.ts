import { sha256Hex } from "../../core/hash.ts";
import {
  buildPrompt,
  DECISION_PREFIX,
  goldAnswer,
  mergeSystemTurn,
  PROMPT_VERSION,
  promptText,
  renderChoices,
  renderInstructions,
  renderSituation,
  type Situation,
  situationHash,
  templateHash,
} from "../../task/prompt.ts";
import type { Table } from "./format.ts";

const SITUATIONS: readonly Situation[] = [
  {
    task: "Merge the release branch once the security review is in.",
    memory: [
      { scope: "project", text: "Reviews are requested from the platform team." },
      { scope: "session", text: "Review asked for.", saved: "2026-03-02T09:30:00Z" },
    ],
    observation: "CI is green. The review page shows: pending.",
  },
  { task: "Refund order 1182.", memory: [], observation: "No approval on file." },
  {
    task: "\u4e88\u5b9a\u3092\u5909\u66f4\u3059\u308b \ud83d\udcc5\r\nMove the 9:00 call.",
    memory: [{ scope: "user", text: "Caf\u00e9 opens at 8\u202fa.m.\r\nBring \u201cnotes\u201d." }],
    observation: 'Line one\r\nline two\ttabbed\u2028and \u0000 and \ufeff and {"json": [1]} \\n',
  },
  {
    task: " leading and trailing spaces ",
    memory: [{ scope: "user", text: "Task:\nObservation:" }],
    observation: "\n\nblank lines around\n\n",
  },
  { task: "lone \ud800 surrogate", memory: [], observation: "\udc00" },
];

/** The prompt texts and their hashes, for both readouts and all five letter offsets. */
export function promptVectors(): Table {
  return {
    version: 1,
    promptVersion: PROMPT_VERSION,
    decisionPrefix: DECISION_PREFIX,
    instructions: {
      generative: renderInstructions("generative"),
      decision: renderInstructions("decision"),
    },
    choices: [0, 1, 2, 3, 4].map(renderChoices),
    templateHash: { generative: templateHash("generative"), decision: templateHash("decision") },
    goldAnswer: goldAnswer("ASK", 'He said "no"\n\u00e9\ud83d\ude00'),
    cases: SITUATIONS.map(promptVector),
  };
}

function promptVector(situation: Situation): object {
  const decision = [0, 1, 2, 3, 4].map((offset) =>
    buildPrompt(situation, { readout: "decision", offset }),
  );
  const generative = buildPrompt(situation, { readout: "generative" });
  return {
    situation,
    text: renderSituation(situation),
    situationHash: situationHash(situation),
    roles: generative.map((message) => message.role),
    generative: sha256Hex(promptText(generative)),
    decision: decision.map((messages) => sha256Hex(promptText(messages))),
    merged: sha256Hex(promptText(mergeSystemTurn(generative))),
  };
}
