import { Tokenizer } from "@huggingface/tokenizers";
import { SteerError } from "../../core/errors.ts";
import { repairDigits } from "./repair-tokenizer.ts";

/** Texts of the tokens that chat templates ask for by name. */
export type NamedTokens = Readonly<
  Record<"bos_token" | "eos_token" | "pad_token" | "unk_token", string | undefined>
>;

/** A model's tokenizer, the same on every path: rendered chats, prompts with an answer, plain texts. */
export interface TextTokenizer {
  /**
   * The ids of a text, begun by the model's start token exactly once, whether the text (a rendered
   * chat, say) brings it or not. Models without a start token get none.
   */
  encode(text: string): number[];
  /** The text of ids, special tokens included as they are written. */
  decode(ids: readonly number[]): string;
  /** The text from its last special token on: no text before it can change its ids. */
  lastSection(text: string): string;
  /** The id of a token by its text. */
  idOf(token: string): number | undefined;
  readonly named: NamedTokens;
}

/**
 * Builds a tokenizer from the contents of tokenizer.json and tokenizer_config.json.
 *
 * @throws SteerError `invalid` when the library cannot build it
 */
export function makeTokenizer(
  content: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
  file = "tokenizer.json",
): TextTokenizer {
  const library = build(content, config, file);
  const named = namedTokens(config);
  const rawIds = (text: string) => library.encode(text, { add_special_tokens: false }).ids;
  const start = startIds(library, config, named);
  const special = [...library.get_added_tokens_decoder().values()]
    .filter((token) => token.special)
    .map((token) => token.content);
  return {
    encode(text) {
      let ids = rawIds(text);
      if (start.length === 0) return ids;
      while (beginsWith(ids, start)) ids = ids.slice(start.length);
      return [...start, ...ids];
    },
    // The library throws on an empty list, and by default tidies spaces, which would change answers.
    decode: (ids) =>
      ids.length === 0 ? "" : library.decode([...ids], { clean_up_tokenization_spaces: false }),
    lastSection(text) {
      const last = special.reduce((most, token) => Math.max(most, text.lastIndexOf(token)), -1);
      return text.slice(Math.max(0, last));
    },
    idOf: (token) => library.token_to_id(token),
    named,
  };
}

function build(content: object, config: object, file: string): Tokenizer {
  try {
    return new Tokenizer(repairDigits(content as Record<string, unknown>), config);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SteerError("invalid", `${file}: cannot be used: ${reason}`, { cause: error });
  }
}

/** What the tokenizer itself puts before a text; `add_bos_token` has the last word, as in Python. */
function startIds(
  library: Tokenizer,
  config: Readonly<Record<string, unknown>>,
  { bos_token: startToken }: NamedTokens,
): number[] {
  const wish = config["add_bos_token"];
  if (wish === false) return [];
  const text = "a";
  const plain: number[] = library.encode(text, { add_special_tokens: false }).ids;
  const dressed: number[] = library.encode(text).ids;
  const at = dressed.findIndex((_, i) => beginsWith(dressed.slice(i), plain));
  if (at > 0) return dressed.slice(0, at);
  const id = startToken === undefined ? undefined : library.token_to_id(startToken);
  return wish === true && id !== undefined ? [id] : [];
}

function beginsWith(ids: readonly number[], start: readonly number[]): boolean {
  return start.every((id, i) => ids[i] === id);
}

function namedTokens(config: Readonly<Record<string, unknown>>): NamedTokens {
  const text = (name: string) => {
    const value = config[name];
    if (typeof value === "string") return value;
    const content = (value as { content?: unknown } | null | undefined)?.content;
    return typeof content === "string" ? content : undefined;
  };
  return {
    bos_token: text("bos_token"),
    eos_token: text("eos_token"),
    pad_token: text("pad_token"),
    unk_token: text("unk_token"),
  };
}
