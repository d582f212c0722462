/** Where a text stops being one JSON value without repeated keys, and why. */
export interface JsonFault {
  /** UTF-16 index into the text. */
  readonly position: number;
  readonly message: string;
}

const QUOTE = 34;
const BACKSLASH = 92;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERAL = /true|false|null/y;
const FOREIGN = /NaN|-?Infinity|undefined|None|True|False/y;

/**
 * The first fault of a text that should be one JSON value, repeated keys included; null when
 * there is none. `JSON.parse` is faster, but keeps the last of two equal keys without a word, and
 * its messages differ between engines. Nesting costs memory, not stack.
 */
export function scanJson(text: string): JsonFault | null {
  return new Scanner(text).scan();
}

/** Thrown inside the scanner only. */
class Stop {
  readonly fault: JsonFault;
  constructor(position: number, message: string) {
    this.fault = { position, message };
  }
}

class Scanner {
  private readonly text: string;
  private at = 0;
  /** Open objects and arrays: the keys seen so far, or null for an array. */
  private readonly open: (Set<string> | null)[] = [];

  constructor(text: string) {
    this.text = text;
  }

  scan(): JsonFault | null {
    try {
      this.skipSpace();
      for (let isDone = false; !isDone; ) isDone = this.value();
      if (this.at < this.text.length) throw new Stop(this.at, this.tailMessage());
      return null;
    } catch (error) {
      if (error instanceof Stop) return error.fault;
      throw error;
    }
  }

  /** Reads one value, or opens one; true when it closed the outermost. */
  private value(): boolean {
    const character = this.text[this.at];
    if (character === "{" || character === "[") return this.openBracket(character);
    if (character === '"') this.string();
    else this.scalar();
    return this.afterValue();
  }

  private openBracket(character: "{" | "["): boolean {
    const isObject = character === "{";
    this.open.push(isObject ? new Set() : null);
    this.at++;
    this.skipSpace();
    if (this.text[this.at] === (isObject ? "}" : "]")) return this.afterValue();
    if (isObject) this.key();
    return false;
  }

  /** Closes what ends here and moves on to the next value; true when nothing is left open. */
  private afterValue(): boolean {
    for (;;) {
      this.skipSpace();
      const keys = this.open.at(-1);
      if (keys === undefined) return true;
      const end = keys ? "}" : "]";
      const character = this.text[this.at];
      if (character !== end && character !== ",") this.stop(`expected "," or "${end}"`);
      this.at++;
      if (character === end) {
        this.open.pop();
        continue;
      }
      this.skipSpace();
      if (keys) this.key();
      return false;
    }
  }

  private key(): void {
    const { text, at } = this;
    if (text.charCodeAt(at) !== QUOTE) this.stop("expected a field name in double quotes");
    this.string();
    const quoted = text.slice(at, this.at);
    const key = quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
    const keys = this.open.at(-1);
    if (keys?.has(key)) throw new Stop(at, `repeated field ${quoted}`);
    keys?.add(key);
    this.skipSpace();
    if (text[this.at] !== ":") this.stop('expected ":"');
    this.at++;
    this.skipSpace();
  }

  private string(): void {
    const { text } = this;
    for (let i = this.at + 1; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        this.at = i + 1;
        return;
      }
      if (code < 32)
        throw new Stop(i, `control character ${named(code)} in a text must be escaped`);
      if (code === BACKSLASH) {
        ESCAPE.lastIndex = i;
        if (!ESCAPE.test(text)) throw new Stop(i, "unknown escape in a text");
        i = ESCAPE.lastIndex - 1;
      }
    }
    throw new Stop(text.length, "ends inside a string");
  }

  private scalar(): void {
    for (const pattern of [LITERAL, NUMBER]) {
      pattern.lastIndex = this.at;
      if (!pattern.test(this.text)) continue;
      this.at = pattern.lastIndex;
      return;
    }
    this.stop("expected a value");
  }

  private skipSpace(): void {
    const { text } = this;
    for (; ; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return;
    }
  }

  private tailMessage(): string {
    return /[[{]/.test(this.text[this.at] ?? "")
      ? "a second record begins here; a line holds one"
      : "text follows the end of the record";
  }

  private stop(expected: string): never {
    const { text, at } = this;
    if (at >= text.length) throw new Stop(at, `ends too early: ${expected}`);
    FOREIGN.lastIndex = at;
    const foreign = FOREIGN.exec(text)?.[0];
    if (foreign) throw new Stop(at, `${foreign} is not JSON; use null, true, false or a number`);
    throw new Stop(at, `unexpected ${named(text.codePointAt(at) ?? 0)}: ${expected}`);
  }
}

/** A character as itself when it prints, else by its number. */
function named(code: number): string {
  const isPlain = code > 32 && code < 127;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return isPlain ? JSON.stringify(String.fromCodePoint(code)) : number;
}
