/** Runs work, at most so many pieces at once; further pieces wait in the order they came. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** A {@link Limiter} for `limit` pieces of work, at least 1. */
export function makeLimiter(limit: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < limit) running++;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await work();
    } finally {
      // The slot goes straight to the next piece, so that no newcomer can slip in before it.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
