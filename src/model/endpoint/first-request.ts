import { SteerError } from "../../core/errors.ts";
import type { AttemptFailure, RawReply } from "./attempt.ts";

/** Statuses that no request of a run would escape: a wrong key, no access, a wrong address or model. */
const HOPELESS: readonly (number | null)[] = [401, 403, 404];

/** Lets one try through alone and the others once it has ended. */
export type FirstRequest = (
  once: () => Promise<RawReply | AttemptFailure>,
) => Promise<RawReply | AttemptFailure>;

/**
 * Guards the first try of a connection: refused with 401, 403 or 404 it ends everything, and
 * nothing else is asked. Later on, such a refusal is a failure of its own item.
 *
 * @returns what throws SteerError `unreadable`, with the server's words, at every call then
 */
export function guardFirstRequest(spec: string): FirstRequest {
  let first: Promise<unknown> | null = null;
  return async (once) => {
    if (first !== null) {
      await first;
      return once();
    }
    const own = once().then((result) => {
      if (!("mayPass" in result) || !HOPELESS.includes(result.status)) return result;
      const fix = "check the key (STEERBENCH_API_KEY), the address and the model's name";
      throw new SteerError("unreadable", `${spec}: ${result.message}; ${fix}`);
    });
    first = own;
    return own;
  };
}
