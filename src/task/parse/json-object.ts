import { RULES } from "./rules.ts";

/** What the parsers need to know of one RFC 8259 object. */
export interface JsonObject {
  /** Position after the closing brace. */
  readonly end: number;
  /** Whether any object in it, at any depth, repeats a key (compared after unescaping). */
  readonly hasRepeatedKey: boolean;
  /** How often the object itself has the key `intervention`. */
  readonly interventions: number;
  /** The last own `intervention` value, unescaped; null when it is no string or absent. */
  readonly intervention: string | null;
  /** Whether the object itself has a string under `reason`. */
  readonly hasReason: boolean;
}

/**
 * Reads the RFC 8259 object that begins at `start`: one pass over the text, nested at most
 * `RULES.maxDepth` deep. Not `JSON.parse`, because that hides repeated keys and has no depth limit.
 *
 * @returns null when no such object begins there
 */
export function readJsonObject(text: string, start: number): JsonObject | null {
  if (text.charCodeAt(start) !== OPEN_BRACE) return null;
  const reader = new Reader(text);
  return reader.readTop(start);
}

/** Reads the JSON string that begins at `start`; null when none does. */
export function readJsonString(text: string, start: number): { value: string; end: number } | null {
  const end = stringEnd(text, start);
  return end < 0 ? null : { value: unescaped(text, start, end), end };
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERALS = ["true", "false", "null"];

/** Positions are where the next character is read; -1 stands for "not RFC 8259". */
class Reader {
  readonly text: string;
  hasRepeatedKey = false;
  interventions = 0;
  intervention: string | null = null;
  hasReason = false;

  constructor(text: string) {
    this.text = text;
  }

  readTop(start: number): JsonObject | null {
    const end = this.object(start, 1);
    if (end < 0) return null;
    const { hasRepeatedKey, interventions, intervention, hasReason } = this;
    return { end, hasRepeatedKey, interventions, intervention, hasReason };
  }

  private object(start: number, depth: number): number {
    const { text } = this;
    if (depth > RULES.maxDepth) return -1;
    let at = skipJsonSpace(text, start + 1);
    if (text.charCodeAt(at) === CLOSE_BRACE) return at + 1;
    const keys = new Keys();
    for (;;) {
      const keyEnd = stringEnd(text, at);
      if (keyEnd < 0) return -1;
      const key = unescaped(text, at, keyEnd);
      if (!keys.add(key)) this.hasRepeatedKey = true;
      at = skipJsonSpace(text, keyEnd);
      if (text.charCodeAt(at) !== COLON) return -1;
      const valueStart = skipJsonSpace(text, at + 1);
      const valueEnd = this.value(valueStart, depth);
      if (valueEnd < 0) return -1;
      if (depth === 1) this.ownField(key, valueStart, valueEnd);
      at = skipJsonSpace(text, valueEnd);
      const next = text.charCodeAt(at);
      if (next === CLOSE_BRACE) return at + 1;
      if (next !== COMMA) return -1;
      at = skipJsonSpace(text, at + 1);
    }
  }

  private ownField(key: string, start: number, end: number): void {
    const isString = this.text.charCodeAt(start) === QUOTE;
    if (key === RULES.key) {
      this.interventions++;
      this.intervention = isString ? unescaped(this.text, start, end) : null;
    } else if (key === RULES.reasonKey) this.hasReason = isString;
  }

  private array(start: number, depth: number): number {
    const { text } = this;
    if (depth > RULES.maxDepth) return -1;
    let at = skipJsonSpace(text, start + 1);
    if (text.charCodeAt(at) === CLOSE_BRACKET) return at + 1;
    for (;;) {
      at = this.value(at, depth);
      if (at < 0) return -1;
      at = skipJsonSpace(text, at);
      const next = text.charCodeAt(at);
      if (next === CLOSE_BRACKET) return at + 1;
      if (next !== COMMA) return -1;
      at = skipJsonSpace(text, at + 1);
    }
  }

  private value(start: number, depth: number): number {
    const { text } = this;
    switch (text.charCodeAt(start)) {
      case QUOTE:
        return stringEnd(text, start);
      case OPEN_BRACE:
        return this.object(start, depth + 1);
      case OPEN_BRACKET:
        return this.array(start, depth + 1);
      default: {
        const literal = LITERALS.find((word) => text.startsWith(word, start));
        if (literal !== undefined) return start + literal.length;
        NUMBER.lastIndex = start;
        return NUMBER.test(text) ? NUMBER.lastIndex : -1;
      }
    }
  }
}

/** The keys of one object: a list while there are few, a set once comparing would cost squared time. */
class Keys {
  private readonly few: string[] = [];
  private many: Set<string> | undefined;

  /** Whether the key is new. */
  add(key: string): boolean {
    if (this.many) {
      if (this.many.has(key)) return false;
      this.many.add(key);
      return true;
    }
    if (this.few.includes(key)) return false;
    this.few.push(key);
    if (this.few.length === 16) this.many = new Set(this.few);
    return true;
  }
}

function skipJsonSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

/** Position after the string that begins at `start`, or -1. */
function stringEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return -1;
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 32) return -1;
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return -1;
      at = ESCAPE.lastIndex;
    } else at++;
  }
  return -1;
}

function unescaped(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(`"${inner}"`) as string) : inner;
}
