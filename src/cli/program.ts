import { Command } from "commander";
import { addArms } from "./commands/arms.ts";
import { addAudit } from "./commands/audit.ts";
import { addCard } from "./commands/card.ts";
import { addCompare } from "./commands/compare.ts";
import { addEval } from "./commands/eval.ts";
import { addExport } from "./commands/export.ts";
import { addJoin } from "./commands/join.ts";
import { addMetrics } from "./commands/metrics.ts";
import { addPlay } from "./commands/play.ts";
import { addQuickstart } from "./commands/quickstart.ts";
import { addReport } from "./commands/report.ts";
import { addRescore } from "./commands/rescore.ts";
import { addScore } from "./commands/score.ts";
import { addServe } from "./commands/serve.ts";
import { addSplit } from "./commands/split.ts";
import { addTrain } from "./commands/train.ts";
import { addValidate } from "./commands/validate.ts";
import { addVectors } from "./commands/vectors.ts";
import type { Io } from "./io.ts";

/** Adds one command to the program. Heavy libraries are imported inside its action only. */
export type AddCommand = (program: Command, io: Io) => void;

const COMMANDS: readonly AddCommand[] = [
  addValidate,
  addCard,
  addAudit,
  addSplit,
  addExport,
  addEval,
  addJoin,
  addScore,
  addRescore,
  addMetrics,
  addCompare,
  addReport,
  addPlay,
  addServe,
  addTrain,
  addArms,
  addVectors,
  addQuickstart,
];

/** The whole command line. */
export function buildProgram(io: Io, version: string): Command {
  const program = new Command("steerbench")
    .description("Measure and train whether an agent should act, ask, wait, remember or forget.")
    .version(version)
    .exitOverride()
    .showHelpAfterError("(add --help for usage and an example)")
    .configureOutput({ writeErr: (text) => io.note(text) });
  for (const add of COMMANDS) add(program, io);
  return program;
}
