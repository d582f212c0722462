import { LABELS } from "../../src/core/intervention.ts";
import { RULES } from "../../src/task/parse/rules.ts";
import { choice, disguise, gap, label, noise } from "./fuzz-pieces.ts";
import type { Source } from "./fuzz-source.ts";

/** A value as it might stand under `intervention`. */
function value(from: Source): string {
  const roll = from.random();
  if (roll < 0.55) return label(from);
  if (roll < 0.65) return `${label(from)}${from.char(RULES.labelTails)} ${noise(from)}`;
  if (roll < 0.75) return `${label(from)}${from.char(RULES.alternatives)}${label(from)}`;
  if (roll < 0.82) return `<${label(from)}>`;
  if (roll < 0.88) return from.char(RULES.edges) + label(from) + from.char(RULES.edges);
  if (roll < 0.92) return `${label(from)} - ${label(from)}`;
  return from.pick(["", "STOP", "ESCALATE", noise(from)]);
}

/** An object in the shape the prompt asks for, near it or far from it. */
export function object(from: Source): string {
  return from.chance(0.85) ? rfcObject(from) : sloppyObject(from);
}

function rfcObject(from: Source): string {
  const named = JSON.stringify(from.chance(0.8) ? label(from) : value(from));
  const reason = JSON.stringify(noise(from, 8));
  const plain = JSON.stringify(from.pick(LABELS));
  switch (from.below(12)) {
    case 0:
      return `{"intervention": ${plain}, "reason": ${reason}, "reason": "again"}`;
    case 1:
      return `{"intervention":${named},"\\u0069ntervention":${plain},"reason":"r"}`;
    case 2:
      return `{"intervention":${plain},"reason":"r","x":[{"a":1,"b":{},"a":${reason}}]}`;
    case 3:
      return `{"intervention":${plain}}`;
    case 4:
      return `{"intervention":${plain},"reason":${from.pick(["null", "0", "[]", "{}", "true"])}}`;
    case 5:
      return `{"intervention":${plain},"Reason":${reason}, "x": 1}`;
    case 6:
      return `{"intervention":${from.pick(["null", "1", "true", `[${named}]`, "NaN"])},"reason":"r"}`;
    case 7:
      return from.chance(0.5) ? `{"thought": ${reason}}` : `{"answer": ${object(from)}}`;
    case 8:
      return `{"intervention": ${named}, "reason": "r", "x": ${nested(from)}}`;
    default:
      return `{"intervention": ${named}, "reason": ${reason}}`;
  }
}

function sloppyObject(from: Source): string {
  const quote = from.char(RULES.quotes);
  const key = from.pick([RULES.key, RULES.key, `_${RULES.key}_`, `${RULES.key}s`, "Intervention"]);
  const end = from.pick([quote, ",", "}", "\n", ""]);
  return `{${quote}${key}${quote}${gap(from)}${from.char(RULES.keyColons)} ${quote}${value(from)}${end} ${noise(from)}}`;
}

function nested(from: Source): string {
  const depth = from.pick([1, 2, 62, 63, 64, 65]);
  return "[".repeat(depth) + "]".repeat(depth);
}

/** An object that never closes. */
export function brokenObject(from: Source): string {
  const whole = object(from);
  const cut = 1 + from.below(Math.max(1, whole.length - 1));
  return from.chance(0.7)
    ? `{"intervention": "${value(from)}", "reason": "${noise(from)}`
    : whole.slice(0, cut);
}

export function declaration(from: Source, lettered: boolean): string {
  const cue = disguise(from, from.pick(RULES.cues));
  const verb = from.chance(0.25) ? `${gap(from)} is ` : gap(from);
  const mark = from.chance(0.75) ? from.char(RULES.separators) : "";
  const opener = from.chance(0.15) ? from.char(RULES.openers) : gap(from);
  const tail = from.chance(0.2)
    ? from.char(RULES.lineClosers)
    : from.pick(["", "", ".", ",", ` ${noise(from)}`]);
  return `${cue}${verb}${mark} ${opener}${choice(from, lettered)}${tail}`;
}

/** Labels side by side. */
export function list(from: Source, lettered: boolean): string {
  const joiner = from.chance(0.5)
    ? gap(from) + from.char(`${RULES.joinerMarks},`) + gap(from)
    : ` ${disguise(from, from.pick([...RULES.joinerWords, "nor", ","]))} `;
  return `${choice(from, lettered)}${joiner}${choice(from, lettered)}`;
}

export function negation(from: Source, lettered: boolean): string {
  const named = choice(from, lettered);
  const between = from.chance(0.4)
    ? ` ${noise(from, 3)} `
    : from.pick([" ", ", ", " - ", " but ", gap(from)]);
  if (from.chance(0.5)) {
    return `${disguise(from, from.pick([...RULES.negators, "don't", "n't"]))}${between}${named}`;
  }
  const denied = from.chance(0.4)
    ? from.pick(RULES.negatedAfter)
    : `${from.pick(RULES.copulas)} ${from.pick(["", "so ", "so very "])}${from.pick([...RULES.refusals, "can't"])}`;
  return `${named}${from.pick([" ", " ", "' ", ", "])}${disguise(from, denied)}`;
}

/** An option letter set off as one, often tied to a label. */
export function option(from: Source): string {
  const letter = from.char(RULES.optionLetters);
  const roll = from.random();
  if (roll < 0.4) return `${letter}${from.char(RULES.letterTails)} ${noise(from, 3)}`;
  if (roll < 0.7) return `${letter}${from.char(RULES.letterTies)} ${label(from)}`;
  if (roll < 0.85)
    return `${label(from)} ${from.char(RULES.openers)}${letter}${from.char(RULES.closers)}`;
  return `${letter} ${label(from)}`;
}
