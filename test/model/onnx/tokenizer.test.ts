import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import { describe, expect, test } from "vitest";
import { makeTokenizer } from "../../../src/model/onnx/tokenizer.ts";
import { listFiles, readFixture, repositoryPath } from "../../support/fixtures.ts";
import { REFERENCE, TINY } from "./support.ts";

interface Fixture {
  readonly tokenizer: Record<string, unknown>;
  /** What the Rust library puts in front of a text. */
  readonly start: readonly number[];
  /** Of each hostile text, without start tokens. */
  readonly ids: readonly (readonly number[])[];
  readonly decoded: readonly string[];
}

const texts = JSON.parse(readFixture("onnx/hostile-texts.json")) as string[];
const fixtures = listFiles("test/fixtures/onnx/tokenizers", ".json");

function readFixtureFile(file: string): Fixture {
  return JSON.parse(readFileSync(repositoryPath(file), "utf8")) as Fixture;
}

describe.each(fixtures)("against the Rust library: %s", (file) => {
  const { tokenizer, start, ids, decoded } = readFixtureFile(file);
  const ours = makeTokenizer(tokenizer, {});

  test("B27: hostile texts get exactly the same ids", () => {
    const wrong = texts.filter((text, i) => {
      const own = ids[i] ?? [];
      const brings = start.length > 0 && start.every((id, k) => own[k] === id);
      return ours.encode(text).join() !== (brings ? own : [...start, ...own]).join();
    });
    expect(wrong).toEqual([]);
  });

  test("ids become the same texts again", () => {
    expect(ids.map((own) => ours.decode(own))).toEqual(decoded);
  });

  test("B01: a text that brings the start token gets no second one, any other gets one", () => {
    const [first = ""] = start.map((id) => ours.decode([id]));
    const count = (text: string) => ours.encode(text).filter((id) => start.includes(id)).length;
    const chat = `${first}[INST] go on [/INST]`;
    expect([chat, `${first}${chat}`, "go on", ""].map(count)).toEqual(
      start.length > 0 ? [1, 1, 1, 1] : [0, 0, 0, 0],
    );
  });
});

test("B27: the tiny model's ids are those of the Rust library", () => {
  const read = (name: string) => JSON.parse(readFileSync(`${TINY}/${name}`, "utf8"));
  const ours = makeTokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
  for (const { text, ids } of REFERENCE.texts) expect(ours.encode(text)).toEqual(ids);
  for (const { text, ids } of REFERENCE.prompts) expect(ours.encode(text)).toEqual(ids);
});

test("without the repair of the Digits step the library gives other ids: it is still needed", () => {
  const { tokenizer, ids } = readFixtureFile("test/fixtures/onnx/tokenizers/smollm2.json");
  const library = new Tokenizer(tokenizer, {});
  const wrong = texts.filter((text, i) => library.encode(text).ids.join() !== ids[i]?.join());
  expect(wrong).toContain("x² + y³ ≤ ½ ¼");
});

test("add_bos_token in tokenizer_config.json has the last word on the start token", () => {
  const { tokenizer } = readFixtureFile("test/fixtures/onnx/tokenizers/llama.json");
  const bare = { ...tokenizer, post_processor: null };
  const startsOf = (content: Record<string, unknown>, config: Record<string, unknown>) =>
    makeTokenizer(content, { bos_token: "<s>", ...config })
      .encode("a")
      .indexOf(1);
  expect(startsOf(tokenizer, { add_bos_token: false })).toBe(-1);
  expect(startsOf(bare, { add_bos_token: true })).toBe(0);
  expect(startsOf(bare, { bos_token: { content: "<s>" }, add_bos_token: true })).toBe(0);
  expect(startsOf(bare, {})).toBe(-1);
});

test("a tokenizer that the library cannot build is refused by the file's name", () => {
  expect(() => makeTokenizer({ model: { type: "Unheard" } }, {})).toThrow(
    /tokenizer\.json: cannot be used/,
  );
});

test("spaces before punctuation stay when ids are decoded, whatever the library's default", () => {
  const { tokenizer } = readFixtureFile("test/fixtures/onnx/tokenizers/smollm2.json");
  const ours = makeTokenizer(tokenizer, {});
  const text = '{ "reason" : "no , not yet ." }';
  expect(ours.decode(ours.encode(text))).toBe(text);
  expect(ours.decode([])).toBe("");
});

test("the last section begins with the last special token", () => {
  const { tokenizer } = readFixtureFile("test/fixtures/onnx/tokenizers/smollm2.json");
  const ours = makeTokenizer(tokenizer, {});
  const chat = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\nchoice#";
  expect(ours.lastSection(chat)).toBe("<|im_start|>assistant\nchoice#");
  expect(ours.lastSection("no special token")).toBe("no special token");
});
