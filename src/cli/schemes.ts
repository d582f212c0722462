import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { SteerError } from "../core/errors.ts";
import type { Outcome } from "../task/outcome.ts";
import type { Scheme } from "../task/scheme.ts";
import { collect } from "./options.ts";

/** The options of {@link addSchemeOptions}, as commander gives them. */
export interface SchemeOptions {
  readonly scheme?: readonly string[];
  readonly price?: readonly string[];
  readonly allowDominated?: true;
}

/** Lets a command take reward schemes: built-in names, files and single prices. */
export function addSchemeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--scheme <name|file>",
        "symmetric, asymmetric or a scheme file; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option("--price <outcome=x>", "replace a price in every scheme given").argParser(collect),
    )
    .option("--allow-dominated", "accept prices under which garbage beats a holding answer");
}

/**
 * The schemes that the options name; both built-in ones by default.
 *
 * @throws SteerError `usage` for an unknown name, `dominated`, `invalid` naming file and field
 */
export async function resolveSchemes(options: SchemeOptions): Promise<readonly Scheme[]> {
  const { refuseDominated, SCHEMES, withPrices } = await import("../task/scheme.ts");
  const names = options.scheme ?? Object.keys(SCHEMES);
  const changes = Object.fromEntries((options.price ?? []).map(readPrice));
  const schemes: Scheme[] = [];
  for (const name of names) {
    const base = Object.hasOwn(SCHEMES, name)
      ? SCHEMES[name as keyof typeof SCHEMES]
      : await readScheme(name);
    const scheme = withPrices(base, changes);
    if (!options.allowDominated) refuseDominated(scheme);
    schemes.push(scheme);
  }
  const twice = schemes.find(({ name }, k) => schemes.findIndex((s) => s.name === name) < k);
  if (twice) throw new SteerError("usage", `two schemes are named ${twice.name}`);
  return schemes;
}

function readPrice(text: string): [Outcome, number] {
  const [outcome = "", value = "", ...rest] = text.split("=");
  if (value.trim() === "" || rest.length > 0) {
    throw new SteerError("usage", `--price ${text}: write it as outcome=number, wrong=-0.05`);
  }
  return [outcome as Outcome, Number(value)];
}

async function readScheme(path: string): Promise<Scheme> {
  const { schemeSchema } = await import("../task/scheme.ts");
  const { readJsonFile } = await import("../data/json-file.ts");
  if (!existsSync(path)) {
    const hint = "use symmetric, asymmetric or the path of a scheme file";
    throw new SteerError("usage", `unknown scheme ${path}: ${hint}`);
  }
  return readJsonFile(path, schemeSchema, "scheme file");
}
