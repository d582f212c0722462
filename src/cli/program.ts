import { Command } from "commander";
import type { Io } from "./io.ts";

/** Adds one command to the program. Heavy libraries are imported inside its action only. */
export type AddCommand = (program: Command, io: Io) => void;

const COMMANDS: readonly AddCommand[] = [];

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
