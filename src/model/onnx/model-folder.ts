import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { checkFile, type FolderFaults, faultsOf, readJsonFile } from "./folder-faults.ts";
import { type ModelConfig, readModelConfig } from "./model-config.ts";
import { type ModelGraph, readModelGraph } from "./model-graph.ts";
import { checkVocabulary } from "./vocabulary.ts";

/** A model on disk in the Hugging Face layout, read and found whole; its weights stay unread. */
export interface ModelFolder {
  readonly path: string;
  /** The folder's own name. */
  readonly name: string;
  readonly config: ModelConfig;
  /** The graph's file, relative to the folder, with slashes. */
  readonly graphName: string;
  readonly graph: ModelGraph;
  /** Content of tokenizer.json. */
  readonly tokenizer: Readonly<Record<string, unknown>>;
  /** Content of tokenizer_config.json; empty without the file. */
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  /** Text of chat_template.jinja, which goes before the template in tokenizer_config.json. */
  readonly templateFile: string | null;
  /** Every file that decides the model's answers, relative to the folder. */
  readonly files: readonly string[];
}

const CONFIG = "config.json";
const GENERATION_CONFIG = "generation_config.json";
const TOKENIZER = "tokenizer.json";
const TOKENIZER_CONFIG = "tokenizer_config.json";
const TEMPLATE = "chat_template.jinja";
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
  if (!existsSync(path)) {
    faults.add("not_found", "", "there is no such model folder");
    faults.settle({});
  }
  const has = (file: string) => existsSync(join(path, file));
  const json = (file: string) => readJsonFile(path, file, faults, "download it into the folder");
  const optional = (file: string) => (has(file) ? json(file) : {});

  const rawConfig = json(CONFIG);
  const generation = optional(GENERATION_CONFIG);
  const name = chooseGraph(path, graphName, faults);
  const read = {
    config: rawConfig && generation && readModelConfig(rawConfig, generation, faults),
    tokenizer: json(TOKENIZER),
    tokenizerConfig: optional(TOKENIZER_CONFIG),
    graph: name === null ? null : readModelGraph(path, name, faults),
    graphName: name,
  };
  if (read.config && read.graph && read.tokenizer && name) {
    const tokenizer = { content: read.tokenizer, file: TOKENIZER };
    checkVocabulary(read.config, { layout: read.graph.layout, file: name }, tokenizer, faults);
  }
  const whole = faults.settle(read);
  const present = [CONFIG, GENERATION_CONFIG, TOKENIZER, TOKENIZER_CONFIG, TEMPLATE].filter(has);
  return {
    path,
    name: basename(resolve(path)),
    ...whole,
    templateFile: has(TEMPLATE) ? readFileSync(join(path, TEMPLATE), "utf8") : null,
    files: [...present, whole.graphName, ...whole.graph.sideFiles],
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
