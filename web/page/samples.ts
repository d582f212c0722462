import { goldAnswer } from "../../src/index.ts";

/** Answers as models write them, each read in another way. */
export const SAMPLES: readonly { readonly name: string; readonly text: string }[] = [
  { name: "as asked", text: goldAnswer("WAIT", "The test run has not come back yet.") },
  {
    name: "in a fence",
    text: `Here is my decision:\n\`\`\`json\n${goldAnswer("ASK", "Nobody has approved it.")}\n\`\`\``,
  },
  {
    name: "no reason",
    text: '{"intervention": "FORGET"}',
  },
  {
    name: "cut short",
    text: '{"intervention": "REMEMBER", "reason": "The limit changed to',
  },
  { name: "declared", text: "The owner is away until Monday.\n\n**Final answer:** ASK" },
  { name: "prose", text: "Sure! I would ACT here and deploy, since the build is green." },
  { name: "negated", text: "We should not ACT before the check is back, so WAIT." },
  { name: "undecided", text: "I lean to ASK. WAIT is defensible, too." },
  { name: "unknown label", text: '{"intervention": "ESCALATE", "reason": "ASK somebody."}' },
  { name: "still thinking", text: "<think>The build is green, so maybe ACT, but" },
];
