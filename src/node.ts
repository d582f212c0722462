/** Everything of the browser-safe entry, and what needs files: sets, splits, exports, models, runs. */
export { auditSet } from "./data/audit/audit.ts";
export { type DataCard, makeCard } from "./data/card.ts";
export { loadScenarioSet } from "./data/scenario-set.ts";
export { makeSplit, type SplitOptions, type SplitResult } from "./data/split.ts";
export { readSplit, writeSplit } from "./data/split-file.ts";
export type { Part, ScenarioSet, Split, TraceHead } from "./data/types.ts";
export { requireVerified, verifySplit } from "./data/verify.ts";
export { type EvaluateResult, evaluate } from "./eval/evaluate.ts";
export type { EvaluateOptions, ReadoutOptions } from "./eval/options.ts";
export { checkExport, type ExportCheck } from "./export/check.ts";
export { runExport } from "./export/export.ts";
export type { ExportRequest } from "./export/request.ts";
export * from "./index.ts";
export type {
  Generation,
  LetterScores,
  Model,
  ModelDescription,
  ModelFailure,
} from "./model/model.ts";
export { openModel } from "./model/spec.ts";
export { type Comparison, compareRuns } from "./result/compare.ts";
export { joinRuns } from "./result/join-runs.ts";
export { type Metrics, type RunMetrics, runMetrics } from "./result/metrics.ts";
export { rescore } from "./result/rescore.ts";
export { type Run, readRun } from "./result/run-read.ts";
export { fitRunTemperature, type RunTemperature } from "./result/run-temperature.ts";
export { scoreFile } from "./result/score-file.ts";
