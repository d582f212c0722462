import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { SteerError } from "../core/errors.ts";

/** Where a report reads and writes. */
export interface ReportPaths {
  readonly runs: readonly string[];
  readonly set?: string | undefined;
  readonly out: string;
  readonly figures?: string | undefined;
}

/**
 * Refuses, before any work, what a report must not write to: anything in a run's or the set's own
 * folder, since a page over `answers.jsonl` would destroy what it is made of.
 *
 * @throws SteerError `usage` listing every fault
 */
export function requireReportPaths({ runs, set, out, figures }: ReportPaths): void {
  const inputs = set === undefined ? runs : [...runs, set];
  const faults = [
    ...repeatedRuns(runs),
    ...outFaults(out),
    ...(figures === undefined ? [] : figureFaults(figures)),
    ...[out, ...(figures === undefined ? [] : [figures])]
      .filter((path) => path !== "")
      .flatMap((path) => insideFaults(path, inputs)),
  ];
  if (figures !== undefined && placeOf(figures) === placeOf(out)) {
    faults.push(`-o and --figures name the same place, ${out}`);
  }
  if (faults.length > 0) throw new SteerError("usage", faults.join("\n"));
}

function repeatedRuns(runs: readonly string[]): string[] {
  const places = runs.map(placeOf);
  return runs
    .filter((_, at) => places.indexOf(places[at] ?? "") < at)
    .map((path) => `${path}: is given twice; name each run once`);
}

function outFaults(out: string): string[] {
  if (out === "") return ["-o is empty; name a file, such as report.html"];
  if (out === "-") return ["-o -: the page goes to a file only; name one, such as report.html"];
  return statIfThere(out)?.isDirectory()
    ? [`${out}: is a folder; name a file in it, such as ${join(out, "report.html")}`]
    : [];
}

function figureFaults(figures: string): string[] {
  if (figures === "") return ["--figures is empty; name a folder"];
  const entry = statIfThere(figures);
  return entry && !entry.isDirectory() ? [`${figures}: is a file; --figures takes a folder`] : [];
}

function insideFaults(path: string, inputs: readonly string[]): string[] {
  const place = placeOf(path);
  return inputs
    .filter((input) => isWithin(place, placeOf(input)))
    .map((input) => `${path}: lies in ${input}, which the report reads; write it elsewhere`);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** A path without links, also where its last parts are not there yet. */
function placeOf(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const folder = dirname(whole);
    return folder === whole ? whole : join(placeOf(folder), basename(whole));
  }
}

function statIfThere(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // What cannot be looked at cannot be written either; the attempt says why.
    return undefined;
  }
}
