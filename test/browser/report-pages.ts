import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeReport } from "../../src/report/report.ts";
import { hostileRuns } from "../report/support.ts";
import { runOk } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

const SET = repositoryPath("scenario-sets/demo");
const SPLIT = repositoryPath("splits/demo.json");

/** Pages to look at, in a folder of their own. */
export interface ReportPages {
  readonly folder: string;
  /** Runs of the page `report`, as folders. */
  readonly runs: readonly string[];
  /** Several arms of the demo set, one with training curves. */
  readonly report: string;
  /** Every free text hostile. */
  readonly hostile: string;
  /** The drawings of the hostile page as files. */
  readonly drawings: readonly string[];
  remove(): void;
}

/** Evaluates arms on the demo set through the command line and makes reports of them. */
export function makeReportPages(): ReportPages {
  const folder = mkdtempSync(join(tmpdir(), "steerbench-pages-"));
  const evaluate = (name: string, model: string, ...more: readonly string[]) => {
    const on = ["eval", SET, "--split", SPLIT, "--model", model, ...more];
    runOk([...on, "-o", name], { cwd: folder });
  };
  writeFileSync(join(folder, "answers.jsonl"), scriptedAnswers());
  evaluate("chatty", "scripted:answers.jsonl", "--readout", "generative");
  writeFileSync(join(folder, "chatty", "metrics.jsonl"), trainingCurves());
  evaluate("words", "baseline:words", "--readout", "generative");
  evaluate("words-letters", "baseline:words", "--readout", "decision", "--rotations", "5");
  evaluate("act", "baseline:act", "--readout", "generative");
  const runs = ["chatty", "words", "words-letters", "act"];
  runOk(["report", ...runs, "--set", SET, "-o", "report.html"], { cwd: folder });
  const { runs: hostile, texts } = hostileRuns();
  const { page, drawings } = makeReport(hostile, { texts });
  writeFileSync(join(folder, "hostile.html"), page);
  for (const { name, file } of drawings) writeFileSync(join(folder, `${name}.svg`), file);
  return {
    folder,
    runs: runs.map((run) => join(folder, run)),
    report: join(folder, "report.html"),
    hostile: join(folder, "hostile.html"),
    drawings: drawings.map(({ name }) => join(folder, `${name}.svg`)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Ways to answer: strictly, in a fence, in words, twice, unreadably, cut off. */
const ANSWERS = [
  { answer: '{"intervention": "ACT", "reason": "Everything is in place."}', finish: "stop" },
  { answer: '```json\n{"intervention": "ASK", "reason": "Nobody allowed it yet."}\n```' },
  { answer: "The check is still running, so I would WAIT here." },
  {
    answer: `{"intervention": "ACT", "reason": "The build is green.${" It is green.".repeat(40)}`,
    finish: "length",
  },
  { answer: "It depends: either ACT or ASK would do." },
  {
    answer: '{"intervention": "REMEMBER", "reason": "A rule that later steps need."}',
    finish: "stop",
  },
  {
    answer: `{"intervention": "FORGET", "reason": "${"The old value is stale. ".repeat(300)}"}`,
    finish: "stop",
  },
];

function scriptedAnswers(): string {
  const { test } = JSON.parse(readFileSync(SPLIT, "utf8")) as { test: readonly string[] };
  return test
    .map(
      (id, at) =>
        `${JSON.stringify({ id, ...ANSWERS[(at * 5 + Math.floor(at / 6)) % ANSWERS.length] })}\n`,
    )
    .join("");
}

function trainingCurves(): string {
  const steps = Array.from({ length: 41 }, (_, at) => at / 40);
  return steps
    .map((t) => {
      const row = {
        step: t * 200,
        loss: 2.3 * (1 - t) ** 2 + 0.3,
        learning_rate: 1e-4 * (1 - t),
        "train/correct": 0.2 + 0.5 * t,
        "train/premature_act": 0.3 * (1 - t),
        "train/missed_act": 0.05 + 0.1 * t,
        "train/wrong": 0.05 + 0.2 * (1 - t),
        "train/unreadable": 0.2 * (1 - t) ** 2,
        "train/cut_off": 0.05 * (1 - t),
      };
      return `${JSON.stringify(row)}\n`;
    })
    .join("");
}
