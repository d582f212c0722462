import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHfModel } from "../../../src/model/hf/hf-model.ts";
import { readLocation } from "../../../src/model/onnx/location.ts";
import { openOnnxModel } from "../../../src/model/onnx/onnx-model.ts";
import { temporaryFolder } from "../../support/cli.ts";
import { MICRO } from "./support.ts";

const refused = (location: string, message: string) =>
  expect(openOnnxModel(location)).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining(`onnx:${location}: ${message}`),
  });

test("reads a folder and the graph behind #", () => {
  expect(readLocation("a/b")).toEqual({ path: "a/b", graph: undefined });
  expect(readLocation("a#onnx/m.onnx")).toEqual({ path: "a", graph: "onnx/m.onnx" });
});

test("a file in place of the folder is refused, with how to write it", async () => {
  const graph = join(MICRO, "onnx", "model.onnx");
  const fix = `is a file: name the folder of the model, as in onnx:${MICRO}`;
  await refused(graph, `${fix}; onnx:${MICRO}#onnx/model.onnx picks this graph`);
  await refused(join(MICRO, "config.json"), fix);
  await expect(openHfModel(join(MICRO, "config.json"))).rejects.toThrow(
    /is a file; name its folder/,
  );
});

test("what stands behind # must be a graph", async () => {
  await refused(`${MICRO}#`, "name a graph after #");
  await refused(`${MICRO}#model.safetensors`, `model.safetensors is no graph; hf:${MICRO} runs`);
  await refused(`${MICRO}#config.json`, "config.json is no graph: its name must end in .onnx");
  await refused("#model.onnx", "name the folder");
});

test("a folder whose name holds # is refused, with what to do about it", async () => {
  const folder = join(temporaryFolder(), "model#2");
  mkdirSync(folder);
  cpSync(MICRO, folder, { recursive: true });
  await refused(folder, "# ends the folder's name, and this one holds it");
});
