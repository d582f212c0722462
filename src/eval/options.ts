import type { Part, ScenarioSet, Split } from "../data/types.ts";
import type { Model } from "../model/model.ts";
import type { LetterOrder } from "../result/decision.ts";

/** How answers are had and read: as written text, or from the scores of five letters. */
export type ReadoutOptions =
  | {
      readonly readout: "generative";
      /** Answers per trace. */
      readonly samples: number;
      readonly temperature: number;
      readonly topP: number;
      readonly maxTokens: number;
    }
  | ({ readonly readout: "decision" } & LetterOrder);

/** One arm to evaluate. */
export interface EvaluateOptions {
  readonly set: ScenarioSet;
  readonly split: Split;
  /** How errors name the split. Default `split`. */
  readonly splitFile?: string | undefined;
  /** Default `test`. */
  readonly part?: Part | undefined;
  readonly limit?: number | undefined;
  readonly shard?: { readonly index: number; readonly count: number } | undefined;
  readonly model: Model;
  readonly readout: ReadoutOptions;
  readonly seed: string;
  /** sha256 of the parity vectors that the scorer was checked against. */
  readonly vectors?: string | undefined;
  /** The run's folder. */
  readonly out: string;
  /** Go on with the run that is there; start it where there is none. Default false. */
  readonly resume?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}
