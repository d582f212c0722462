import { existsSync, readdirSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { checkFile, type FolderFaults, faultsOf } from "./folder-faults.ts";
import { type ModelGraph, readModelGraph } from "./model-graph.ts";
import {
  presentTextFiles,
  readTemplateFile,
  readTextFiles,
  type TextFiles,
  TOKENIZER,
} from "./text-files.ts";
import { checkVocabulary } from "./vocabulary.ts";

/** A model on disk in the Hugging Face layout, read and found whole; its weights stay unread. */
export interface ModelFolder extends TextFiles {
  readonly path: string;
  /** What results call it: the folder's own name. */
  readonly name: string;
  /** The file that the graph or its weights come from, relative to the folder, with slashes. */
  readonly graphName: string;
  readonly graph: ModelGraph;
  /** Text of chat_template.jinja; null without the file. */
  readonly templateFile: string | null;
  /** Every file that decides the model's answers, relative to the folder. */
  readonly files: readonly string[];
  /** What was added to the model's own weights; null for the bare model. */
  readonly adapter: AdapterFacts | null;
}

/** The folder of an adapter, for hashes and records. */
export interface AdapterFacts {
  readonly path: string;
  /** Relative to the folder. */
  readonly files: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** Where a graph is looked for when none is named. */
const USUAL_GRAPHS = ["onnx/model.onnx", "model.onnx"];

/**
 * Reads a model folder: `config.json`, `tokenizer.json`, `tokenizer_config.json` and, if there,
 * `chat_template.jinja` and `generation_config.json`, beside the graph in `onnx/` or flat.
 *
 * @param graphName the graph to take where a folder holds several, such as `onnx/model_q4.onnx`
 * @throws SteerError that lists every missing, empty, cut, foreign or mismatched file
 */
export function readModelFolder(path: string, graphName?: string): ModelFolder {
  const faults = faultsOf(path);
  const texts = readTextFiles(path, faults);
  const name = chooseGraph(path, graphName, faults);
  const read = {
    ...texts,
    graph: name === null ? null : readModelGraph(path, name, faults),
    graphName: name,
  };
  if (read.config && read.graph && read.tokenizer && name) {
    const tokenizer = { content: read.tokenizer, file: TOKENIZER };
    checkVocabulary(read.config, { layout: read.graph.layout, file: name }, tokenizer, faults);
  }
  const whole = faults.settle(read);
  return {
    path,
    name: basename(resolve(path)),
    ...whole,
    templateFile: readTemplateFile(path),
    files: [...presentTextFiles(path), whole.graphName, ...whole.graph.sideFiles],
    adapter: null,
  };
}

/** The named graph, the usual one, or the only one; null, with a fault noted, otherwise. */
function chooseGraph(path: string, named: string | undefined, faults: FolderFaults): string | null {
  const found = [...graphsIn(path, "onnx"), ...graphsIn(path, ".")];
  const others = found.length > 0 ? `; the folder holds ${found.join(", ")}` : "";
  const single = found.length === 1 ? found[0] : undefined;
  const name =
    named === undefined
      ? (USUAL_GRAPHS.find((usual) => found.includes(usual)) ?? single)
      : posix.normalize(named.replaceAll("\\", "/"));
  if (name !== undefined) {
    return checkFile(path, name, faults, `name another graph${others}`) === null ? null : name;
  }
  const fix =
    found.length > 0
      ? `choose one, as in onnx:${path}#${found[0]}${others}`
      : "export the model to ONNX, or download its onnx folder";
  faults.add("not_found", USUAL_GRAPHS[0] as string, `is missing; ${fix}`);
  return null;
}

function graphsIn(path: string, folder: string): string[] {
  const full = join(path, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full)
    .filter((file) => file.endsWith(".onnx"))
    .map((file) => posix.join(folder, file))
    .sort();
}
