import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readModelFolder } from "../../../src/model/onnx/model-folder.ts";
import { temporaryFolder } from "../../support/cli.ts";
import { copyModel, letterRequest, MICRO, openForTest, SHORT_CHATS, TINY } from "./support.ts";

const FORMS = readdirSync(join(MICRO, "onnx")).filter((file) => file.endsWith(".onnx"));
const REQUESTS = SHORT_CHATS.map((chat, i) => letterRequest(`t-${i}`, chat));

test("takes onnx/model.onnx when no graph is named, and any other by its name", () => {
  expect(readModelFolder(MICRO).graphName).toBe("onnx/model.onnx");
  const named = readModelFolder(MICRO, "onnx/model_fp16.onnx");
  expect([named.graphName, named.graph.weights]).toEqual(["onnx/model_fp16.onnx", "fp16"]);
  expect(() => readModelFolder(MICRO, "onnx/model_q4.onnx")).toThrow(
    /onnx\/model_q4\.onnx: is missing; name another graph; the folder holds onnx\/model\.onnx, /,
  );
});

test("takes a flat layout and an only graph of any name; asks when several could be meant", () => {
  const folder = copyModel(MICRO);
  for (const file of ["model.onnx", "weights.bin"]) {
    renameSync(join(folder, "onnx", file), join(folder, file));
  }
  expect(readModelFolder(folder).graphName).toBe("model.onnx");
  rmSync(join(folder, "model.onnx"));
  expect(() => readModelFolder(folder)).toThrow(/choose one, as in onnx:.*#onnx\/model_fp16\.onnx/);
  for (const file of FORMS) {
    if (file !== "model.onnx" && file !== "model_fp16.onnx") rmSync(join(folder, "onnx", file));
  }
  expect(readModelFolder(folder).graphName).toBe("onnx/model_fp16.onnx");
});

test("names every file that decides the answers, side files included", () => {
  expect(readModelFolder(MICRO).files).toEqual([
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "onnx/model.onnx",
    "onnx/weights.bin",
  ]);
});

test("a folder of links, as in a hub cache, works like the files that they lead to", async () => {
  const [cache, folder] = [copyModel(MICRO), temporaryFolder()];
  mkdirSync(join(folder, "onnx"));
  const link = (file: string, blob: string) => {
    renameSync(join(cache, file), join(cache, blob));
    symlinkSync(join(cache, blob), join(folder, file));
  };
  for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"]) link(file, file);
  link("onnx/model.onnx", "blob-1");
  link("onnx/weights.bin", "blob-2");
  const linked = await openForTest(folder);
  const plain = await openForTest(MICRO);
  expect(await linked.scoreLetters(REQUESTS)).toEqual(await plain.scoreLetters(REQUESTS));
});

test("opening and running a model writes nothing into its folder", async () => {
  const folder = copyModel(TINY);
  const list = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "base64")]);
  const before = list();
  const model = await openForTest(folder);
  await model.scoreLetters([letterRequest("t", SHORT_CHATS[0] ?? [])]);
  expect(list()).toEqual(before);
});

test("describes the model by its files' hashes and by what decides its answers", async () => {
  const { spec, name, files, dtype, endTokens, details } = (await openForTest(TINY)).describe();
  expect([spec, name, dtype, endTokens]).toEqual([
    `onnx:${TINY}`,
    "tiny",
    "fp32",
    ["<|im_end|>", "<|endoftext|>"],
  ]);
  const provenance = JSON.parse(readFileSync(join(TINY, "PROVENANCE.json"), "utf8")) as {
    files: Record<string, { sha256: string }>;
  };
  expect(Object.keys(files)).toContain("onnx/model.onnx");
  for (const [file, hash] of Object.entries(files)) {
    expect([file, hash]).toEqual([file, provenance.files[file]?.sha256]);
  }
  expect(details).toMatchObject({
    graph: "onnx/model.onnx",
    head: "rewritten",
    attention: "plain",
    contextLength: 2048,
    runtime: "onnxruntime-node 1.30.0",
    template: { source: "tokenizer_config.json", systemTurn: "own", date: "2025-01-01" },
  });
  expect(details["note"]).toMatch(/not a judge/);
});
