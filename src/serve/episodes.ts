import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { type RandomStream, randomStream } from "../core/random.ts";
import type { Part } from "../data/types.ts";
import { type ResetInfo, SteerEnv, type StepResult } from "../env/env.ts";
import type { Message, Readout } from "../task/prompt.ts";
import type { Scheme } from "../task/scheme.ts";
import { chooseScheme, type KnownSchemes } from "./pricing.ts";
import type { LoadedTraces } from "./traces.ts";

/** How an episode may be begun, besides its seed; every part has a default. */
export const beginShape = {
  /** Plays this trace instead of the next one. */
  trace_id: z.string().nullish(),
  /** Default `train`. */
  part: z.enum(["train", "test"]).nullish(),
  /** Default `generative`. */
  readout: z.enum(["generative", "decision"]).nullish(),
  /** Name of the scheme that gives the reward; default the server's. */
  scheme: z.string().nullish(),
};

/** See {@link beginShape}. */
export type BeginRequest = Partial<z.infer<z.ZodObject<typeof beginShape>>> & {
  /** Begins the order of traces anew. */
  readonly seed?: number | string | null | undefined;
};

/** An answer, and what a player without a running episode must say of the one it answers. */
export interface FinishRequest extends Pick<BeginRequest, "trace_id" | "readout" | "scheme"> {
  readonly answer: string;
  /** Why the answer ended, where known. */
  readonly finish?: string | null | undefined;
}

/** An episode that waits for its answer. */
interface Running extends Way {
  readonly traceId: string;
}

/** A way of playing: side, readout and the scheme that pays. */
interface Way {
  readonly env: SteerEnv;
  readonly readout: Readout;
  readonly scheme: Scheme;
}

/** What one player has going on. */
export interface Player {
  random: RandomStream;
  /** The running episode; null before the first and after its step. */
  current: Running | null;
  /** The last episode's trace. */
  traceId: string | null;
  /** Steps taken in it: 0 or 1. */
  steps: number;
  /** Names the episode for the player; nothing depends on it. */
  episodeId: string | null;
}

/** @param seed fixes the order in which traces come, unless a reset brings another */
export function newPlayer(seed: string): Player {
  return {
    random: randomStream(seed, "env"),
    current: null,
    traceId: null,
    steps: 0,
    episodeId: null,
  };
}

/**
 * Episodes for any number of players. All share one environment for each way of playing, since an
 * episode is one trace and one answer; a player only has its place in its own order of traces,
 * which is the order that a `SteerEnv` of the same seed would give.
 */
export class Episodes {
  readonly #traces: LoadedTraces | null;
  readonly #schemes: KnownSchemes;
  readonly #ways = new Map<string, Way>();
  readonly #ids: Readonly<Record<Part, readonly string[]>>;

  constructor(traces: LoadedTraces | null, schemes: KnownSchemes) {
    this.#traces = traces;
    this.#schemes = schemes;
    const idsOf = (part: Part) => (traces?.sides[part] ?? []).map(({ id }) => id).sort();
    this.#ids = { train: idsOf("train"), test: idsOf("test") };
  }

  /**
   * Begins an episode.
   *
   * @throws SteerError `state` when no set is loaded, `held_out`, `not_found`, `usage` for an
   *   unknown scheme, `impossible` for a side without traces
   */
  begin(
    player: Player,
    { seed, trace_id, part, readout, scheme }: BeginRequest,
  ): { readonly observation: readonly Message[]; readonly info: ResetInfo } {
    const traces = this.#loaded();
    const side = trace_id ? traces.partOf(trace_id) : (part ?? "train");
    const way = this.#wayOf(traces, side, readout ?? "generative", scheme);
    if (seed !== undefined && seed !== null) player.random = randomStream(seed, "env");
    const traceId = trace_id ?? this.#draw(player, side);
    const begun = way.env.reset({ traceId });
    player.current = { ...way, traceId };
    player.traceId = traceId;
    player.steps = 0;
    return begun;
  }

  /**
   * Takes the one answer of an episode. Where none is running, begins the one that the request
   * names; where one is, the request must not name another.
   *
   * @throws SteerError `state` without an episode, `mismatch`, and what {@link begin} throws
   */
  finish(
    player: Player,
    { answer, finish, ...named }: FinishRequest,
  ): { readonly result: StepResult; readonly scheme: Scheme } {
    if (!player.current && named.trace_id) this.begin(player, named);
    const { current } = player;
    if (!current) {
      throw new SteerError("state", "the episode is over or was never begun: reset first");
    }
    const { env, traceId, readout, scheme } = current;
    refuseOther("trace_id", named.trace_id, traceId);
    refuseOther("readout", named.readout, readout);
    refuseOther("scheme", named.scheme, scheme.name);
    player.current = null;
    player.steps = 1;
    // Another player may have begun an episode here in between.
    env.reset({ traceId });
    return { result: env.step(answer, finish ?? null), scheme };
  }

  #loaded(): LoadedTraces {
    if (this.#traces) return this.#traces;
    throw new SteerError(
      "state",
      "no set is loaded: start the server with SET --split FILE to play episodes",
    );
  }

  #wayOf(
    traces: LoadedTraces,
    part: Part,
    readout: Readout,
    schemeName: string | null | undefined,
  ): Way {
    const scheme = schemeName ? chooseScheme(schemeName, this.#schemes) : this.#schemes.standard;
    if (part === "test" && !traces.allowsTest) {
      throw new SteerError(
        "held_out",
        "part: test traces are held out; start the server with --allow-test to play them",
      );
    }
    const key = `${part} ${readout} ${scheme.name}`;
    const known = this.#ways.get(key);
    if (known) return known;
    const { allowsTest: allowTest, sides } = traces;
    const options = { traces: sides[part], part, allowTest, readout, scheme, seed: "served" };
    const way = { env: new SteerEnv(options), readout, scheme };
    this.#ways.set(key, way);
    return way;
  }

  #draw(player: Player, part: Part): string {
    const ids = this.#ids[part];
    return ids[Math.floor(player.random() * ids.length)] ?? "";
  }
}

function refuseOther(field: string, named: string | null | undefined, own: string): void {
  if (named === undefined || named === null || named === own) return;
  throw new SteerError("mismatch", `${field}: the running episode has ${own}, not ${named}`);
}
