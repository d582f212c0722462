import { Template } from "@huggingface/jinja";
import { SteerError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import { type Message, mergeSystemTurn } from "../../task/prompt.ts";
import { formatPinnedDate, PINNED_DATE } from "./pinned-date.ts";
import type { NamedTokens } from "./tokenizer.ts";

/** Where a template comes from, and how it is used. All of it goes into a run's record. */
export interface TemplateDescription {
  /** `plain`: the folder has none, and turns are set under plain headings. */
  readonly source: "chat_template.jinja" | "tokenizer_config.json" | "plain";
  readonly sha256: string;
  readonly date: string;
  /** `merged`: the template refuses system turns, so their text opens the user turn. */
  readonly systemTurn: "own" | "merged";
}

/** Renders chats into the text that a model was trained on. */
export interface ChatTemplate {
  /** The chat, with the assistant's turn opened and nothing in it. */
  render(messages: readonly Message[]): string;
  readonly description: TemplateDescription;
}

/**
 * The plain form for models without a template: a heading and the text for each turn.
 * `User:\n…\n\nAssistant:\n`
 */
const PLAIN = [
  "{% for message in messages %}",
  "{{ message['role'][0] | upper }}{{ message['role'][1:] }}:{{ '\n' }}",
  "{{ message['content'] }}{{ '\n\n' }}",
  "{% endfor %}",
  "Assistant:{{ '\n' }}",
].join("");

/** A chat with a system turn, to learn whether a template takes it and shows it. */
const PROBE: readonly Message[] = [
  { role: "system", content: "system-turn-probe" },
  { role: "user", content: "user-turn-probe" },
];

/**
 * Makes the template of a model folder ready: `chat_template.jinja` first, else the one in
 * tokenizer_config.json, else the plain form. Whether its system turn is merged into the user turn
 * is decided here once, so that every prompt of every arm is treated alike.
 *
 * @throws SteerError `invalid` when the template is broken or renders no user turn
 */
export function makeChatTemplate(
  templateFile: string | null,
  tokenizerConfig: Readonly<Record<string, unknown>>,
  tokens: NamedTokens,
): ChatTemplate {
  const configured = configuredTemplate(tokenizerConfig["chat_template"]);
  const source =
    templateFile !== null
      ? "chat_template.jinja"
      : configured !== null
        ? "tokenizer_config.json"
        : "plain";
  const text = templateFile ?? configured ?? PLAIN;
  const renderChat = prepare(text, source, tokens);
  const takesSystemTurn = showsProbe(renderChat);
  return {
    render: (messages) => renderChat(takesSystemTurn ? messages : mergeSystemTurn(messages)),
    description: {
      source,
      sha256: sha256Hex(text),
      date: PINNED_DATE,
      systemTurn: takesSystemTurn ? "own" : "merged",
    },
  };
}

/** The library's own clock cannot be replaced, so templates are made to ask for ours by name. */
const CLOCK = "strftime_now";
const PINNED_CLOCK = "pinned_strftime_now";

type RenderChat = (messages: readonly Message[]) => string;

function prepare(text: string, source: string, tokens: NamedTokens): RenderChat {
  const broken = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the chat template in ${source} cannot be rendered: ${reason}`;
    return new SteerError("invalid", message, { cause: error });
  };
  try {
    const template = new Template(text.replaceAll(CLOCK, PINNED_CLOCK));
    return (messages) => {
      try {
        return template.render({
          ...tokens,
          messages: messages.map(({ role, content }) => ({ role, content })),
          add_generation_prompt: true,
          [PINNED_CLOCK]: formatPinnedDate,
          date_string: formatPinnedDate("%d %b %Y"),
        });
      } catch (error) {
        throw broken(error);
      }
    };
  } catch (error) {
    throw broken(error);
  }
}

/** Whether the system turn is taken and shown; when not, the chat must render without it. */
function showsProbe(renderChat: RenderChat): boolean {
  const [system, user] = PROBE as readonly [Message, Message];
  try {
    const text = renderChat(PROBE);
    if (text.includes(system.content) && text.includes(user.content)) return true;
  } catch {
    // Templates refuse a system turn by raising an exception of their own.
  }
  const text = renderChat(mergeSystemTurn(PROBE));
  if (text.includes(system.content) && text.includes(user.content)) return false;
  throw new SteerError("invalid", "the chat template leaves out the user's turn");
}

/** One template, or the one called `default` of a list. */
function configuredTemplate(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return null;
  const named = value as { name?: unknown; template?: unknown }[];
  const chosen = named.find(({ name }) => name === "default") ?? named[0];
  return typeof chosen?.template === "string" ? chosen.template : null;
}
