import { LABELS } from "../../core/intervention.ts";
import { UNICODE_VERSION, WORD_RANGES } from "./word-characters.ts";

/**
 * Every closed list of the reading rules, as data. This module is their only source: it is
 * written to `parity-vectors/rules.json`, from which the Python port reads the same lists.
 * Texts of single characters stand for sets of characters; cues, words and headers are lower case.
 */
export const RULES = {
  labels: LABELS,
  optionLetters: "ABCDE",
  unicodeVersion: UNICODE_VERSION,
  wordRanges: WORD_RANGES,

  whiteSpace: " \t\n\v\f\r",
  lineEnds: "\n\r",
  marks: "*_`\"'",
  edges: " \t\n\v\f\r\"'`*_.,!?;:()[]",

  /** Bytes of UTF-8: longer answers are not looked at, longer texts to read are not read. */
  maxAnswerBytes: 1_048_576,
  maxReadBytes: 65_536,
  maxDepth: 64,

  endTokens: [
    "<|endoftext|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<|end|>",
    "<end_of_turn>",
    "</s>",
  ],
  thinkOpen: ["<think>", "<thinking>"],
  thinkClose: ["</think>", "</thinking>"],

  /** First words of a prompt that a model goes on to invent after its answer. */
  headers: [
    "task:",
    "memory:",
    "observation:",
    "<|im_start|>",
    "<|user|>",
    "<|start_header_id|>",
    "[inst]",
    "### instruction",
    "user:",
    "human:",
  ],

  key: "intervention",
  reasonKey: "reason",
  keyColons: ":：",
  quotes: "\"'`“”‘’",
  valueEnds: "\"'`“”‘’,{}\n\r",
  alternatives: "|/",
  /** What may follow a label inside a value: `ASK - because …`. White space may, too. */
  labelTails: "-–—:,;.",

  cues: [
    "intervention",
    "decision",
    "final decision",
    "final answer",
    "final",
    "answer",
    "choice",
    "verdict",
    "best option",
    "i choose",
    "i pick",
    "i select",
    "i'd choose",
    "i would choose",
  ],
  /** Cues that begin so declare without any separator. */
  freeCueStarts: ["i ", "i'd "],
  cueVerb: "is",
  separators: ":：=-–—",
  openers: "([",
  lineClosers: "*_`\"')].!",

  joinerMarks: "|/",
  joinerWords: ["or", "and"],
  comma: ",",

  letterTails: ').:,]*_`"',
  /** What ties a label to the letter before it on a line: `B) ASK`. */
  letterTies: "([)].:,=-–—*_`\"'",
  closers: ")]",

  apostrophes: "'’",
  negators: ["not", "never", "cannot", "no", "without", "avoid"],
  negatedEnding: "n't",
  negatorReach: 3,
  negatedAfter: ["isn't", "wasn't", "aren't", "wouldn't"],
  copulas: ["is", "was", "are", "would be", "seems"],
  refusals: ["not", "wrong", "premature", "unsafe"],
  refusalReach: 2,
  clauseEnds: ".,;:!?–—\n\r",
  /** Ends a clause where white space stands on both sides. */
  clauseHyphen: "-",
  clauseWord: "but",
} as const;
