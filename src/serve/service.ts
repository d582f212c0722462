import { PROMPT_VERSION } from "../task/prompt.ts";
import type { Scheme } from "../task/scheme.ts";
import { SCORER_VERSION } from "../task/score.ts";
import { Episodes, newPlayer, type Player } from "./episodes.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { type KnownSchemes, knowSchemes } from "./pricing.ts";
import { SessionStore } from "./sessions.ts";
import type { LoadedTraces } from "./traces.ts";
import type { Log } from "./wire-error.ts";

/** What is served, so that a number can be traced to the code that gave it. */
export interface Versions {
  /** The package's version. */
  readonly version: string;
  readonly scorer_version: string;
  /** sha256 over the parity vectors of this version. */
  readonly vectors_sha256: string;
  readonly prompt_version: string;
}

/** Everything that the routes and the line protocol share. */
export interface Service {
  readonly versions: Versions;
  readonly schemes: KnownSchemes;
  /** Null when no set is loaded. */
  readonly traces: LoadedTraces | null;
  readonly episodes: Episodes;
  readonly sessions: SessionStore<Player>;
  /** Names what needs a name of its own. */
  readonly newId: () => string;
  readonly limits: Limits;
  readonly log: Log;
}

/** How a {@link Service} is set up. */
export interface ServiceOptions {
  readonly version: string;
  readonly vectorsSha256: string;
  /** The standard scheme first; none: the built-in ones, asymmetric as the standard. */
  readonly schemes?: readonly Scheme[] | undefined;
  readonly allowDominated?: boolean | undefined;
  readonly traces?: LoadedTraces | null | undefined;
  readonly limits?: Limits;
  readonly log: Log;
  /** The time, in milliseconds, for sessions. */
  readonly now: () => number;
  /** Names sessions; see `SessionBounds`. */
  readonly newId: () => string;
}

/** Sets up what is served. */
export function createService(options: ServiceOptions): Service {
  const { traces = null, limits = LIMITS, log, now, newId } = options;
  const schemes = knowSchemes(options.schemes ?? [], options.allowDominated ?? false);
  return {
    versions: {
      version: options.version,
      scorer_version: SCORER_VERSION,
      vectors_sha256: options.vectorsSha256,
      prompt_version: PROMPT_VERSION,
    },
    schemes,
    traces,
    episodes: new Episodes(traces, schemes),
    sessions: new SessionStore({
      most: limits.sessions,
      idleMs: limits.sessionIdleMs,
      now,
      newId,
    }),
    newId,
    limits,
    log,
  };
}

/**
 * Opens a session; until a reset brings a seed, its traces come in an order of its own.
 *
 * @returns null when as many are open as may be
 */
export function openSession(
  { sessions }: Service,
  onExpired?: () => void,
): { readonly id: string; readonly session: Player } | null {
  return sessions.open((id) => newPlayer(id), onExpired);
}
