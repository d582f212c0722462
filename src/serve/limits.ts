/** How much the server takes on. Beyond each limit it says so and goes on serving. */
export interface Limits {
  /** Longest body, WebSocket message and stdio line, in bytes. */
  readonly bodyBytes: number;
  /** Bytes of all bodies that are being received at once. */
  readonly bufferedBytes: number;
  /** Answers in one HTTP request. */
  readonly items: number;
  /** Answers in one stdio frame: beyond this, a longer frame gains nothing per answer. */
  readonly frameItems: number;
  /** Objects and arrays inside each other. */
  readonly depth: number;
  /** Values in one body, message or line: parsing so many holds everybody up for some tens of milliseconds. */
  readonly values: number;
  /** Sessions open at once, over HTTP and WebSocket together. */
  readonly sessions: number;
  /** A session that is not used for so long ends, in milliseconds. */
  readonly sessionIdleMs: number;
  /** A request must arrive whole within this time, in milliseconds. */
  readonly requestMs: number;
  /** How long a connection may wait for its next request, in milliseconds: training steps are slow. */
  readonly keepAliveMs: number;
  /** At the end: how long requests that were accepted may take, in milliseconds. */
  readonly graceMs: number;
}

/** The limits of `steerbench serve`. */
export const LIMITS: Limits = {
  bodyBytes: 16 * 2 ** 20,
  bufferedBytes: 256 * 2 ** 20,
  items: 4096,
  frameItems: 512,
  depth: 100,
  values: 500_000,
  sessions: 10_000,
  sessionIdleMs: 30 * 60_000,
  requestMs: 30_000,
  keepAliveMs: 10 * 60_000,
  graceMs: 10_000,
};
