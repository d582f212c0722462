import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../src/model/scripted.ts";
import { temporaryFolder } from "../support/cli.ts";
import { letterRequests } from "./contract.ts";

const sampling = { temperature: 0, topP: 1, maxTokens: 64, seed: "1" };

function scriptOf(...lines: readonly string[]): string {
  const file = join(temporaryFolder(), "script.jsonl");
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

function ask(file: string, id: string, samples: readonly number[]) {
  return scriptedModel(file).then((model) =>
    model.generate(
      [{ id, situation: { id, task: "", memory: [], observation: "" }, messages: [], samples }],
      sampling,
    ),
  );
}

test("answers by id and sample, with the finish reason of the row", async () => {
  const file = scriptOf(
    '{"id":"a","answer":"zero","finish":"length"}',
    '{"id":"a","sample":2,"answer":"two"}',
  );
  expect(await ask(file, "a", [2, 0, 1])).toEqual([
    [
      { text: "two", finish: null, tokens: null },
      { text: "zero", finish: "length", tokens: null },
      { error: { code: "no_answer", message: `${file} has no answer for a, sample 1` } },
    ],
  ]);
});

test("D25: scores letters as written, -Infinity and NaN by their markers", async () => {
  const [request] = letterRequests([0]);
  if (!request) throw new Error("no request");
  const { id } = request;
  const file = scriptOf(
    JSON.stringify({ id, logprobs: [-1, "-inf", "nan", -2, -3], letterMass: 0.5 }),
    '{"id":"b","logprobs":[-1,-1,-2,"-inf",-3]}',
  );
  const model = await scriptedModel(file);
  expect(await model.scoreLetters([request, { ...request, id: "b" }])).toEqual([
    { logprobs: [-1, Number.NEGATIVE_INFINITY, Number.NaN, -2, -3], letterMass: 0.5 },
    {
      logprobs: [-1, -1, -2, Number.NEGATIVE_INFINITY, -3],
      letterMass: 2 * Math.exp(-1) + Math.exp(-2) + Math.exp(-3),
    },
  ]);
});

test("records the file's hash", async () => {
  const file = scriptOf('{"id":"a","answer":"x"}', "");
  const sha256 = createHash("sha256").update('{"id":"a","answer":"x"}\n\n').digest("hex");
  expect((await scriptedModel(file)).describe().files).toEqual({ "script.jsonl": sha256 });
});

test("lists every fault of a script at once, with line and field", async () => {
  const file = scriptOf(
    '{"id":"a","answer":"x"}',
    '{"id":"a","sample":0,"answer":"y"}',
    '{"id":"b","answer":null}',
    '{"id":"c","answer":"x","label":"ASK"}',
    '{"id":"d","logprobs":[-1,-2,-3,-4]}',
    '{"id":"e","logprobs":[0.5,-2,-3,-4,"inf"]}',
    '{"id":"f","sample":-1,"answer":"x"}',
    '{"id":"g"}',
    '{"id":"h","answ',
  );
  const error = await scriptedModel(file).catch((caught: Error) => caught);
  const message = (error as Error).message;
  for (const part of [
    ':2: id: answer 0 to "a" stands on line 1 already',
    ":3: answer: ",
    ':4: unknown field "label"',
    ":5: logprobs: a list of 4 must hold five values",
    ":6: logprobs[0]: 0.5 must be a number of at most 0",
    ":6: logprobs[4]: ",
    ":7: sample: -1 must be a whole number, 0 or more",
    ":8: answer: ",
    ":9:",
  ]) {
    expect(message).toContain(`${file}${part}`);
  }
});

test("a missing script is an error that names it", async () => {
  await expect(scriptedModel("no/such.jsonl")).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("no/such.jsonl"),
  });
});
