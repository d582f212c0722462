import type { Continuation, JointIds } from "./continuation.ts";
import type { JobPool } from "./job-pool.ts";

/** Has one text scored by a free thread. */
export async function requestContinuation(pool: JobPool, joint: JointIds): Promise<Continuation> {
  const found: Continuation[] = [];
  const failures: string[] = [];
  await pool.run([{ kind: "continue", joint }], {
    onEvent(_, event) {
      if (event.kind === "continued") found.push(event.continuation);
    },
    onFailure: (_, message) => failures.push(message),
  });
  const [continuation] = found;
  if (continuation === undefined) throw new Error(failures[0] ?? "the job gave no result");
  return continuation;
}
