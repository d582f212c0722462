import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/model/endpoint/clock.ts";
import { openModel } from "../../src/model/spec.ts";
import { temporaryFolder } from "../support/cli.ts";
import { makeFamily } from "../support/traces.ts";

const noTrainSide = async () => {
  throw new Error("only fitted models read the train side");
};

test("opens every form of this version", async () => {
  const file = join(temporaryFolder(), "a:b.jsonl");
  writeFileSync(file, '{"id":"a","answer":"x"}\n');
  const specs = [`scripted:${file}`, "baseline:act", "baseline:uniform"];
  for (const spec of specs) {
    expect((await openModel(spec, noTrainSide)).describe().spec).toBe(spec);
  }
  const side = async () => ({ examples: makeFamily(1), details: { part: "train" } });
  const words = await openModel("baseline:words", side);
  expect(words.describe()).toMatchObject({ spec: "baseline:words", details: { part: "train" } });
});

test("opens an endpoint as it is told to, and never shows the password of a wrong one", async () => {
  const endpoint = { readout: "generative", clock: systemClock } as const;
  const model = await openModel("https://user:pass-word@host/v1#m", noTrainSide, { endpoint });
  expect(model.describe()).toMatchObject({ spec: "https://host/v1#m", name: "m" });
  for (const spec of ["http://user:pass-word@host/v1", "htps://user:pass-word@host/v1#m"]) {
    await expect(openModel(spec, noTrainSide)).rejects.toMatchObject({
      code: "usage",
      message: expect.not.stringContaining("pass-word"),
    });
  }
});

test("an adapter is refused for a model that takes none", async () => {
  for (const spec of ["baseline:act", "onnx:models/tiny", "https://host/v1#m", "hf:", "act"]) {
    await expect(openModel(spec, noTrainSide, { adapter: "runs/sft" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/--adapter would do nothing: only an hf:DIR .* runs\/sft/),
    });
  }
});

test("a spec of no known form is refused with the forms there are", async () => {
  for (const spec of [
    "",
    "act",
    "baseline:",
    "baseline:best",
    "scripted:",
    "Baseline:act",
    "onnx",
    "hf:",
  ]) {
    await expect(openModel(spec, noTrainSide)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/unknown model .*baseline:uniform, baseline:words/),
    });
  }
});
