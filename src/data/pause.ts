/** Items of work between two pauses: some tens of milliseconds. */
const STRIDE = 2048;

/**
 * To be awaited in loops over all traces: every so often it lets the event loop turn, so that
 * Ctrl-C is noticed while a million traces are worked through.
 */
export async function pauseAt(done: number): Promise<void> {
  if (done % STRIDE === 0) await new Promise((resolve) => setImmediate(resolve));
}
