import type { Label } from "../../core/intervention.ts";
import { lettersAt } from "../../task/letters.ts";
import type { Letters } from "../../task/parse/types.ts";
import { SCHEMES } from "../../task/scheme.ts";
import { type Payment, score } from "../../task/score.ts";
import { metricsOf } from "../metrics.ts";
import { objectNaming } from "./cases/case.ts";
import type { Table } from "./format.ts";

/** A call of a reward function. */
interface Call {
  readonly gold: Label;
  readonly answer: string;
  readonly finish: string | null;
  readonly letters: Letters | null;
  readonly prompt: string | null;
}

function call(gold: Label, answer: string, rest: Partial<Call> = {}): Call {
  return { gold, answer, finish: null, letters: null, prompt: null, ...rest };
}

/** Few enough to be tried at every start: each outcome, each metric set and not set. */
const CALLS: readonly Call[] = [
  call("ACT", objectNaming("ACT"), { finish: "stop" }),
  call("WAIT", "Final answer: **WAIT**", { finish: "" }),
  call("REMEMBER", "choice#D", { letters: lettersAt(0) }),
  call("FORGET", "ACT or ASK? FORGET", { prompt: "ACT or ASK?" }),
  call("ASK", objectNaming("ACT"), { finish: "stop" }),
  call("ACT", objectNaming("ASK")),
  call("ACT", "I would WAIT."),
  call("WAIT", objectNaming("REMEMBER")),
  call("ASK", "A", { letters: lettersAt(2), finish: "stop" }),
  call("ASK", "ASK or WAIT", { finish: "stop" }),
  call("ASK", '{"intervention": "STOP", "reason": "r"}'),
  call("FORGET", " \n", { finish: "stop" }),
  call("FORGET", "", { finish: "length" }),
  call("ASK", objectNaming("ASK"), { finish: "max_tokens" }),
  call("ASK", '{"intervention": "ASK", "rea', { finish: "length" }),
];

/** What each built-in scheme makes of a few answers: an implementation checks itself with them. */
export function smokeVectors(): Table {
  const cases = Object.values(SCHEMES).flatMap((scheme) =>
    CALLS.map((asked) => {
      const { gold, answer, finish, letters, prompt } = asked;
      const options = { letters: letters ?? undefined, prompt: prompt ?? undefined };
      const { strict, lenient, payments } = score({ gold, answer, finish, ...options }, [scheme]);
      const { outcome, reward } = payments[scheme.name] as Payment;
      const metrics = metricsOf({ outcome, strict, lenient, finish }, scheme.parse);
      return { scheme: scheme.name, ...asked, outcome, reward, metrics };
    }),
  );
  return { version: 1, cases };
}
