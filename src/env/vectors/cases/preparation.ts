import { RULES } from "../../../task/parse/rules.ts";
import { cases, objectNaming, type ParseCase, type Repeat } from "./case.ts";

const ASK = objectNaming("ASK");
const PROMPT = "\ufeff Task:\nShip it.\n\nMemory:\n(empty)\n\nObservation:\nCI is green.\r\n";
const ECHO = PROMPT.slice(1).trim();

const LENGTH_LIMIT: readonly Repeat[] = [
  { prefix: "ASK", unit: "x", times: RULES.maxReadBytes - 3, suffix: "" },
  { prefix: "ASK", unit: "x", times: RULES.maxReadBytes - 2, suffix: "" },
  { prefix: "ASK ", unit: "\u00e9", times: RULES.maxReadBytes / 2 - 2, suffix: "" },
  { prefix: "ASK ", unit: "\u00e9", times: RULES.maxReadBytes / 2 - 2, suffix: "x" },
  { prefix: "ASK ", unit: "\ud83d\ude00", times: RULES.maxReadBytes / 4 - 1, suffix: "" },
  { prefix: "ASK ", unit: "\ud83d\ude00", times: RULES.maxReadBytes / 4, suffix: "" },
  { prefix: "ASK ", unit: "\u2003", times: 21_844, suffix: "" },
  { prefix: "ASK", unit: " ", times: RULES.maxAnswerBytes - 3, suffix: "" },
  { prefix: "ASK", unit: " ", times: RULES.maxAnswerBytes - 2, suffix: "" },
  { prefix: "<think>", unit: "long ", times: 20_000, suffix: "</think>ASK" },
  { prefix: "<think>", unit: "long ", times: 20_000, suffix: "" },
  { prefix: "ASK</s>", unit: "long ", times: 20_000, suffix: "" },
  { prefix: '{"intervention":"ASK","reason":"', unit: "r", times: 65_502, suffix: '"}' },
  { prefix: '{"intervention":"ASK","reason":"', unit: "r", times: 65_503, suffix: '"}' },
];

/** Section 1 of the rules: length, byte-order mark, end tokens, thinking. */
const LEFT_TO_READ: readonly ParseCase[] = [
  ...cases("nothing to read", [
    "",
    " \t\n\v\f\r",
    "\ufeff",
    "\ufeff \n",
    "</s>ASK",
    "<think>a</think> ",
  ]),
  ...cases("byte-order mark and white space", [
    `\ufeff${ASK}`,
    `\ufeff\ufeff${ASK}`,
    ` \ufeff${ASK}`,
    ` \t\n\v\f\r${ASK} \t\n\v\f\r`,
    `\u00a0${ASK}`,
    `\u2003${ASK}\u2003`,
    `\u001c${ASK}\u0085`,
    "\u001cASK\u0085",
    "\u00a0ASK",
  ]),
  ...cases("lone surrogates", [
    "\ud800",
    "ASK\ud800",
    "\udc00ASK",
    `{"intervention":"ASK","reason":"\ud83d"}`,
    "\ud83d\ude00ASK\ude00\ud83d",
    '{"intervention":"ASK","reason":"\\ud83d"}',
    '"\\ud83dASK"',
    '{"intervention":"ASK\\ud83d","reason":"r"}',
  ]),
  ...cases("length limits", LENGTH_LIMIT),
  ...RULES.endTokens.flatMap((token) =>
    cases(`end token ${token}`, [
      `ASK${token}WAIT`,
      `${ASK}${token}`,
      `${ASK} ${token}\nanything {"intervention":"WAIT","reason":"r"}`,
      `{"intervention":"ASK","reason":"${token}"}`,
      `{"intervention":"ASK","reason":"${token}"} then WAIT`,
      `${token}${ASK}`,
      `ASK${token.toUpperCase()}WAIT`,
    ]),
  ),
  ...cases("own end tokens", [`ASK###${ASK}`, "ASK\u00a7WAIT</s>", "ASK</s>\u00a7WAIT", "###"], {
    endTokens: ["###", "\u00a7", ""],
  }),
  ...cases(
    "own end tokens inside a whole object",
    ['{"intervention":"ASK","reason":"#"}', "ASK # WAIT"],
    {
      endTokens: ["#"],
    },
  ),
  ...cases("an own end token is code points, not half of one", ["ASK \ud83d\ude00 WAIT"], {
    endTokens: ["\ud83d", "\ude00"],
  }),
];

const THINKING: readonly ParseCase[] = RULES.thinkOpen.flatMap((open, i) =>
  cases(`thinking ${open}`, [
    `${open}ACT${RULES.thinkClose[i]}${ASK}`,
    `${open}ACT${RULES.thinkClose[i]}\n\nASK`,
    `ACT${RULES.thinkClose[i]}ASK`,
    `${open}a${RULES.thinkClose[i]}WAIT${open}b${RULES.thinkClose[i]}ASK`,
    `${open}a${RULES.thinkClose[1 - i]}ASK`,
    `${open}ASK`,
    ` \n${open}`,
    `${open}${ASK}`,
    `ASK ${open}WAIT`,
    `${open.toUpperCase()}ACT${RULES.thinkClose[i]?.toUpperCase()}ASK`,
    `${open}a</s>${RULES.thinkClose[i]}ASK`,
    `{"intervention":"ASK","reason":"${open}${RULES.thinkClose[i]}"}`,
    `{"intervention":"ASK","reason":"${open}${RULES.thinkClose[i]}"} ok`,
  ]),
);

const ECHOES: readonly ParseCase[] = [
  ...cases(
    "prompt echo",
    [
      `${ECHO}\nASK`,
      `${ECHO}${ASK}`,
      `${ECHO}\n${ASK}</s>`,
      ECHO,
      `${ECHO}</s>ASK`,
      `${ECHO}<think>ACT</think>ASK`,
      `${ECHO}<think>ACT`,
      `\ufeff  ${ECHO}\n\nASK`,
      `x${ECHO}\nASK`,
      `${ECHO.toLowerCase()}\nASK`,
      `${ECHO} ${ECHO} ASK`,
      ASK,
      "ASK",
    ],
    { prompt: PROMPT },
  ),
  ...cases("an empty prompt is no echo", ["ASK", " ASK", ASK], { prompt: " \n" }),
  ...cases("a prompt that begins a whole object", ['{"a":1}', ASK, `${ASK} WAIT`], { prompt: "{" }),
  ...cases(
    "a prompt that begins an object too long to read",
    [{ prefix: '{"a":"ASK</s>', unit: "r", times: RULES.maxReadBytes, suffix: '"}' }],
    { prompt: '{"a":"' },
  ),
  ...cases("strict never drops the echo", ['Say {"intervention":"ASK","reason":"r"}'], {
    prompt: "Say",
  }),
  ...cases("a prompt with lone surrogates", ["Why\ufffd ASK", "Why\ud800 ASK"], {
    prompt: "Why\ud800",
  }),
  ...cases(
    "a prompt with thinking closed in it",
    ["Say </think> now: ASK", "Say </think> now ACT"],
    {
      prompt: "Say </think> now",
    },
  ),
];

/** Rungs 1 and 2: a new prompt after the answer, an answer inside a JSON string. */
const FRAMES: readonly ParseCase[] = [
  ...RULES.headers.flatMap((header) =>
    cases(`header ${header}`, [
      `ASK\n${header} WAIT`,
      `ASK\r\n \t\v\f${header.toUpperCase()}\nWAIT`,
      `ASK\r${wide(header)} WAIT`,
      `${header} ASK`,
      `${header} ASK\n${header} WAIT`,
      `ASK ${header} WAIT`,
      `\nASK\n\n${header}`,
      `${ASK}\n${header}\n${objectNaming("WAIT")}`,
    ]),
  ),
  ...cases("no header", [
    "ASK\nTasks: WAIT",
    "ASK\nTask WAIT",
    "ASK\n- Task: WAIT",
    "ASK\n\u00a0Task: WAIT",
    "ASK\nta\u017fk: WAIT",
    "ASK\n###  Instruction WAIT",
    "ASK\n###\u3000Instruction WAIT",
  ]),
  ...cases("JSON string", [
    '"ASK"',
    '" ASK "',
    '" "',
    '""',
    '"A\\u0053K"',
    JSON.stringify(ASK),
    JSON.stringify(JSON.stringify(ASK)),
    '"not ASK',
    '"ASK" or "WAIT"',
    '"ASK\nWAIT"',
    '"ASK\\q"',
    '"ASK\\nTask: WAIT"',
    '"ASK"\n\nTask: WAIT',
    '"</s>ASK"',
    '"\\ud83d\\ude00"',
    '"AS\\u004B is wrong; I choose WAIT"',
  ]),
];

/** A text in full-width forms. */
function wide(text: string): string {
  return text.replace(/[!-~]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  );
}

/** What is left to read of an answer, and what frames it. */
export const PREPARATION: readonly ParseCase[] = [
  ...LEFT_TO_READ,
  ...THINKING,
  ...ECHOES,
  ...FRAMES,
];
