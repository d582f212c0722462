/** The browser-safe entry: the vocabulary, the prompt, the scorer and the environment. */
export { ERROR_CODES, type ErrorCode, type Fault, SteerError } from "./core/errors.ts";
export { DEFINITIONS, isLabel, LABELS, type Label } from "./core/intervention.ts";
export { randomStream, subSeed } from "./core/random.ts";
export {
  DOMAINS,
  type Domain,
  type MemoryEntry,
  memoryEntrySchema,
  SCOPES,
  type Scope,
  type Trace,
  traceSchema,
} from "./core/trace.ts";
export {
  type ResetInfo,
  SteerEnv,
  type SteerEnvOptions,
  type StepInfo,
  type StepResult,
} from "./env/env.ts";
export {
  type GroupAdvantages,
  groupAdvantages,
  SKIP_REASONS,
  type SkipReason,
} from "./env/group.ts";
export { bestChoice, breakEven, expectedRewards, type LabelProbabilities } from "./task/choice.ts";
export { LETTERS, type Letter, letterOf, lettersAt, offsetOf } from "./task/letters.ts";
export { classify, isCutOff, OUTCOMES, type Outcome } from "./task/outcome.ts";
export { type Parses, parse } from "./task/parse/parse.ts";
export { RULES } from "./task/parse/rules.ts";
export {
  LENIENT_REASONS,
  type LenientParse,
  type LenientReason,
  type Letters,
  type ParseOptions,
  STRICT_REASONS,
  type StrictParse,
  type StrictReason,
} from "./task/parse/types.ts";
export {
  buildPrompt,
  DECISION_PREFIX,
  goldAnswer,
  type Message,
  mergeSystemTurn,
  PROMPT_VERSION,
  promptText,
  type Readout,
  renderSituation,
  situationHash,
  templateHash,
} from "./task/prompt.ts";
export {
  type Dominance,
  dominance,
  refuseDominated,
  SCHEMES,
  type Scheme,
  schemeSchema,
  withPrices,
} from "./task/scheme.ts";
export { type Payment, SCORER_VERSION, type Score, type ScoreInput, score } from "./task/score.ts";
