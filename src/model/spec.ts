import { SteerError } from "../core/errors.ts";
import { actBaseline, BASELINES, uniformBaseline, wordsBaseline } from "./baseline.ts";
import { systemClock } from "./endpoint/clock.ts";
import type { EndpointOptions } from "./endpoint/endpoint.ts";
import type { Model } from "./model.ts";
import { scriptedModel } from "./scripted.ts";
import type { TrainSide } from "./train-side.ts";
import { fitWordClassifier } from "./word-classifier.ts";

const FORMS = [
  "scripted:FILE",
  ...BASELINES.map((name) => `baseline:${name}`),
  "onnx:DIR[#file]",
  "hf:DIR",
  "http(s)://host/v1#model",
].join(", ");

/** What opening some kinds of models needs besides the SPEC. */
export interface OpenOptions {
  /** How to reach a model behind a URL; without it no key is sent. */
  readonly endpoint?: EndpointOptions | undefined;
  /** Of a local model: threads that each hold the weights. Default: as many as cores and memory allow. */
  readonly workers?: number | undefined;
  /** Of an `hf:` model: folder of an adapter in PEFT's layout. */
  readonly adapter?: string | undefined;
}

/**
 * Opens the model that a SPEC of the command line names.
 *
 * @param trainSide called only for a model that is fitted when it is opened
 * @throws SteerError `usage` for a spec of no known form or an adapter that no model takes, or whatever opening the model throws
 */
export async function openModel(
  spec: string,
  trainSide: () => Promise<TrainSide>,
  { endpoint = { readout: "decision", clock: systemClock }, workers, adapter }: OpenOptions = {},
): Promise<Model> {
  const colon = spec.indexOf(":");
  const [kind, rest] = [spec.slice(0, colon + 1), spec.slice(colon + 1)];
  if (kind === "hf:" && rest !== "") {
    const { openHfModel } = await import("./hf/hf-model.ts");
    return openHfModel(rest, { workers, adapter });
  }
  if (adapter !== undefined) {
    const reason = `only an hf:DIR model takes one; evaluate ${adapter} beside its base`;
    throw new SteerError("usage", `--adapter would do nothing: ${reason}`);
  }
  if (kind === "scripted:" && rest !== "") return scriptedModel(rest);
  if (kind === "baseline:") {
    switch (rest) {
      case "act":
        return actBaseline();
      case "uniform":
        return uniformBaseline();
      case "words": {
        const { examples, details } = await trainSide();
        return wordsBaseline(fitWordClassifier(examples, details));
      }
    }
  }
  if (kind === "onnx:" && rest !== "") {
    const { openOnnxModel } = await import("./onnx/onnx-model.ts");
    return openOnnxModel(rest, { workers });
  }
  // Of any scheme: a URL may hold a password, which the message below would show.
  if (rest.startsWith("//")) {
    const { openEndpoint } = await import("./endpoint/endpoint.ts");
    return openEndpoint(spec, endpoint);
  }
  throw new SteerError("usage", `unknown model ${JSON.stringify(spec)}. Use one of ${FORMS}.`);
}
