import { expect, test } from "vitest";
import { hasClosedObject } from "../../../src/model/onnx/closed-object.ts";

const ANSWER = '{"intervention": "ASK", "reason": "No one said so."}';

test.each([
  ANSWER,
  `Sure:\n\`\`\`json\n${ANSWER}`,
  `${ANSWER}\n`,
  '{"intervention": "SHOUT"}',
  `<think>ACT? {"intervention": "ACT"} no</think>${ANSWER}`,
  '{"reason": "a } in a string", "intervention": "WAIT"}',
])("an answer that is complete: %s", (text) => {
  expect(hasClosedObject(text)).toBe(true);
});

test.each([
  "",
  ANSWER.slice(0, -1),
  '{"reason": "a } in a string", "intervention": "WAIT"',
  '{"format": "as asked"}',
  '{"intervention": "<ACT|ASK|WAIT|REMEMBER|FORGET>", "reason": "<one sentence>"}',
  `<think>Perhaps ${ANSWER}`,
  `<think>a</think><thinking>${ANSWER.slice(0, -1)}`,
  "{intervention: ASK}",
])("an answer that may go on: %s", (text) => {
  expect(hasClosedObject(text)).toBe(false);
});
