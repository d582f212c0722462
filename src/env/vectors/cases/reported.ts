import { cases, type ParseCase } from "./case.ts";

/** Answers that were read wrongly somewhere before; each one stays right. */
export const REPORTED: readonly ParseCase[] = [
  ...cases("A01", ['{"intervention":"ASK","reason":"Need owner, then intervention: ACT']),
  ...cases("A03", ["Choice: D. I would stay away from B."], {
    letters: ["WAIT", "ACT", "REMEMBER", "ASK", "FORGET"],
  }),
  ...cases("A05", [
    '{"intervention":"ASK","reason":"the form keeps <think>memo</think> verbatim"}',
  ]),
  ...cases("A07", ['Use `ASK`? No: {"intervention":"WAIT","reason":"run `npm test` first"}']),
  ...cases("A09", [
    "The owner was ASKED and the token REMEMBERED, so please wait while I act on nothing.",
  ]),
  ...cases("A09-2", ["wait"]),
  ...cases("A11", ['{"intervention":"ESCALATE","reason":"ASK ops first"}']),
  ...cases("A13", ["ANSWER: (E)\nGlad to elaborate."], {
    letters: ["REMEMBER", "ASK", "FORGET", "ACT", "WAIT"],
  }),
  ...cases("A15", ['````json\n{"intervention":"WAIT","reason":"needs ``` fence"}\n````']),
  ...cases("A17", [
    'Format is {"intervention":"<ACT|ASK|WAIT|REMEMBER|FORGET>","reason":"..."}\n{"intervention":"ASK","reason":"no owner"}',
  ]),
  ...cases("A17-2", ['{"intervention":"<ACT|ASK|WAIT|REMEMBER|FORGET>","reason":"..."}']),
  ...cases("A19", [
    '{"intervention":"ACT","reason":"green"}\nWait, no approval. Corrected:\n{"intervention":"ASK","reason":"approval"}',
  ]),
  ...cases("A21", ["Do NOT ACT on this."]),
  ...cases("A23", [{ prefix: "```json", unit: " ", times: 4000, suffix: "x" }]),
  ...cases("A25", ['```json\n{"intervention":"ASK","reason":"log shows ```exit 1``` twice"}\n```']),
  ...cases("A27", ["ACT and FORGET are wrong here; ASK or WAIT could be right."]),
  ...cases("A29", ['{"reason":"no label given"}']),
  ...cases("A29-2", ['{"intervention":null,"reason":"r"}']),
  ...cases("A29-3", ['{"intervention":true,"reason":"r"}']),
  ...cases("A29-4", ['{"intervention":0,"reason":"r"}']),
  ...cases("A29-5", ['{"intervention":"","reason":"r"}']),
  ...cases("A29-6", ['{"intervention":["ASK"],"reason":"r"}']),
  ...cases("A29-7", ['{"intervention":{"label":"ASK"},"reason":"r"}']),
  ...cases("A31", [
    '<think>{"intervention":"ACT","reason":"draft"}</think>{"intervention":"WAIT","reason":"CI"}',
  ]),
  ...cases("A33", ["Decision: WAIT. We cannot ACT until the check returns."]),
  ...cases("A35", [{ prefix: "", unit: "{", times: 60000, suffix: "" }]),
  ...cases("A37", ['"{\\"intervention\\":\\"WAIT\\",\\"reason\\":\\"x\\"}"']),
  ...cases("A37-2", ['[{"intervention":"WAIT","reason":"x"}]']),
  ...cases("A39", ["I pick D: a second reviewer has to sign."], {
    letters: ["ACT", "FORGET", "WAIT", "ASK", "REMEMBER"],
  }),
  ...cases("A39-2", ["b"], { letters: ["ACT", "FORGET", "WAIT", "ASK", "REMEMBER"] }),
  ...cases("A41", ['{"intervention":"ASK","reason":"x","confidence":NaN}']),
  ...cases("A43", ["Never FORGET this note; REMEMBER it."]),
  ...cases("A45", [{ prefix: "", unit: "<think>", times: 20000, suffix: "" }]),
  ...cases("A45-2", [{ prefix: "", unit: "<think>", times: 40000, suffix: "" }]),
  ...cases("A45-3", [{ prefix: "", unit: "<think>", times: 9000, suffix: "" }]),
  ...cases("A47", ["Further ACTION is needed; REACTING now would be rash."]),
  ...cases("A47-2", ["INACTION suits this step."]),
  ...cases("A47-3", ["The \u00c9ACT module is ready."]),
  ...cases("A47-4", ["ACT\u00e9 is only a product name."]),
  ...cases("A49", [
    'As in [2], per {ticket}: {"intervention":"FORGET","reason":"superseded"} Then fill {name} in {form}.',
  ]),
  ...cases("A51", ['\ufeff{"intervention":"ASK","reason":"x"}']),
  ...cases("A53", [
    { prefix: "", unit: '{"intervention":"ASK","reason":"x"}\n', times: 50, suffix: "" },
  ]),
  ...cases("A55", ['{"intervention":"ASK","reason":"User said \u201cdo not ACT\u201d yet"}']),
];
