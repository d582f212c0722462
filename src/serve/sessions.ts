import { SteerError } from "../core/errors.ts";

/** How a {@link SessionStore} is bounded. */
export interface SessionBounds {
  /** Sessions open at once. */
  readonly most: number;
  /** A session that is not used for so long ends, in milliseconds. */
  readonly idleMs: number;
  /** The time, in milliseconds. */
  readonly now: () => number;
  /** Names a session; names must not repeat and must not be guessable. */
  readonly newId: () => string;
}

interface Entry<S> {
  readonly session: S;
  usedAt: number;
  readonly onExpired: () => void;
}

/** The open sessions of one server: a bounded number, each until it is closed or idle for too long. */
export class SessionStore<S> {
  readonly #bounds: SessionBounds;
  /** In order of their last use, the longest ago first. */
  readonly #entries = new Map<string, Entry<S>>();

  constructor(bounds: SessionBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get most(): number {
    return this.#bounds.most;
  }

  /** What to tell whom {@link open} gave none. */
  fullMessage(): string {
    return `${this.#bounds.most} sessions are open, which is the most: end one, or wait until an idle one ends`;
  }

  /**
   * Opens a session.
   *
   * @param make builds it from its id
   * @param onExpired called when it ends for idleness
   * @returns null when as many are open as may be
   */
  open(
    make: (id: string) => S,
    onExpired: () => void = () => {},
  ): { readonly id: string; readonly session: S } | null {
    this.expire();
    if (this.#entries.size >= this.#bounds.most) return null;
    const id = this.#bounds.newId();
    const session = make(id);
    this.#entries.set(id, { session, usedAt: this.#bounds.now(), onExpired });
    return { id, session };
  }

  /** The session of an id, used now; null for one that never was or has ended. */
  find(id: string): S | null {
    this.expire();
    const entry = this.#entries.get(id);
    if (!entry) return null;
    entry.usedAt = this.#bounds.now();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.session;
  }

  /** Like {@link find}. @throws SteerError `not_found` instead of giving null */
  use(id: string): S {
    const session = this.find(id);
    if (session !== null) return session;
    const minutes = this.#bounds.idleMs / 60_000;
    throw new SteerError(
      "not_found",
      `session: no such session, or it was idle for ${minutes} minutes and ended; begin another with reset`,
    );
  }

  close(id: string): void {
    this.#entries.delete(id);
  }

  /** Ends the sessions that were idle for too long. */
  expire(): void {
    const limit = this.#bounds.now() - this.#bounds.idleMs;
    for (const [id, { usedAt, onExpired }] of this.#entries) {
      if (usedAt > limit) return;
      this.#entries.delete(id);
      onExpired();
    }
  }
}
