import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SteerError } from "../../core/errors.ts";

/** Where a model lies: its folder, and the graph in it where one is named. */
export interface ModelLocation {
  readonly path: string;
  readonly graph: string | undefined;
}

/**
 * Reads what follows `onnx:`, `DIR` or `DIR#file`.
 *
 * @throws SteerError `usage` when it names a file instead of a folder, or no ONNX graph behind `#`
 */
export function readLocation(location: string): ModelLocation {
  const hash = location.indexOf("#");
  const path = hash < 0 ? location : location.slice(0, hash);
  const graph = hash < 0 ? undefined : location.slice(hash + 1);
  const refuse = (fix: string) => new SteerError("usage", `onnx:${location}: ${fix}`);
  if (hash >= 0 && isFolder(location)) {
    throw refuse(
      "# ends the folder's name, and this one holds it: rename the folder or link to it",
    );
  }
  if (path === "") throw refuse("name the folder of the model before #");
  if (graph === "") throw refuse("name a graph after #, or leave # out");
  if (graph?.endsWith(".safetensors")) {
    throw refuse(`${graph} is no graph; hf:${path} runs safetensors as they are`);
  }
  if (graph !== undefined && !graph.endsWith(".onnx")) {
    throw refuse(`${graph} is no graph: its name must end in .onnx`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) throw refuse(folderOf(path));
  return { path, graph };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** How to write the path of a file inside a model folder. */
function folderOf(file: string): string {
  const inOnnx = basename(dirname(file)) === "onnx";
  const folder = inOnnx ? dirname(dirname(file)) : dirname(file);
  const isGraph = file.endsWith(".onnx");
  const graph = inOnnx ? join("onnx", basename(file)) : basename(file);
  const pick = isGraph ? `; onnx:${folder}#${graph} picks this graph` : "";
  return `is a file: name the folder of the model, as in onnx:${folder}${pick}`;
}
