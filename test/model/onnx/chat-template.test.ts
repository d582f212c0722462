import { expect, test } from "vitest";
import { makeChatTemplate } from "../../../src/model/onnx/chat-template.ts";
import type { Message } from "../../../src/task/prompt.ts";

const NO_TOKENS = {
  bos_token: undefined,
  eos_token: undefined,
  pad_token: undefined,
  unk_token: undefined,
};
const CHAT: Message[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Deploy?" },
];
const TURNS = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}";
const OPEN = "{% if add_generation_prompt %}<assistant>{% endif %}";
const NO_SYSTEM = `{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}`;
const ALTERNATING = `{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}{% endif %}{% endfor %}`;

test("renders the turns and opens the assistant's", () => {
  const template = makeChatTemplate(null, { chat_template: TURNS + OPEN }, NO_TOKENS);
  expect(template.render(CHAT)).toBe("<system>Be brief.<user>Deploy?<assistant>");
  expect(template.description).toMatchObject({
    source: "tokenizer_config.json",
    systemTurn: "own",
  });
});

test("chat_template.jinja goes before tokenizer_config.json, and `default` before other names", () => {
  const list = [
    { name: "tool_use", template: `tools ${TURNS}` },
    { name: "default", template: TURNS },
  ];
  const listed = makeChatTemplate(null, { chat_template: list }, NO_TOKENS);
  expect(listed.render(CHAT)).toBe("<system>Be brief.<user>Deploy?");
  const filed = makeChatTemplate(`file ${TURNS}`, { chat_template: list }, NO_TOKENS);
  expect(filed.render(CHAT)).toBe("file <system>Be brief.<user>Deploy?");
  expect(filed.description.source).toBe("chat_template.jinja");
});

test.each([
  ["refuses system turns", NO_SYSTEM + TURNS],
  ["wants alternating roles", ALTERNATING + TURNS],
  [
    "silently drops system turns",
    TURNS.replace("messages %}", "messages if m.role != 'system' %}"),
  ],
])("B09: a template that %s gets the system text in the user turn, always", (_, text) => {
  const template = makeChatTemplate(text, {}, NO_TOKENS);
  expect(template.description.systemTurn).toBe("merged");
  expect(template.render(CHAT)).toBe("<user>Be brief.\n\nDeploy?");
  expect(template.render([{ role: "user", content: "Deploy?" }])).toBe("<user>Deploy?");
});

test("B09: a template that renders no chat at all is refused with its own words", () => {
  const text = "{{ raise_exception('Tools are required') }}";
  expect(() => makeChatTemplate(text, {}, NO_TOKENS)).toThrow(
    /chat template in chat_template\.jinja cannot be rendered: .*Tools are required/,
  );
  expect(() => makeChatTemplate("{% for", {}, NO_TOKENS)).toThrow(/cannot be rendered/);
  expect(() => makeChatTemplate("nothing", {}, NO_TOKENS)).toThrow(/leaves out the user's turn/);
});

test("a model without a template gets the plain form", () => {
  const template = makeChatTemplate(null, {}, NO_TOKENS);
  expect(template.render(CHAT)).toBe("System:\nBe brief.\n\nUser:\nDeploy?\n\nAssistant:\n");
  expect(template.description.source).toBe("plain");
});

test("templates that ask for the date get the pinned one, in English", () => {
  const asks = `{{ strftime_now("%A, %d %B %Y (%b %H:%M %%)") }} {{ date_string }} ${TURNS}`;
  const template = makeChatTemplate(asks, {}, NO_TOKENS);
  expect(template.render(CHAT)).toContain("Wednesday, 01 January 2025 (Jan 00:00 %) 01 Jan 2025 ");
  expect(template.description.date).toBe("2025-01-01");
});

test("templates get the texts of the named tokens", () => {
  const template = makeChatTemplate(
    `{{ bos_token }}${TURNS}`,
    {},
    { ...NO_TOKENS, bos_token: "<s>" },
  );
  expect(template.render(CHAT)).toBe("<s><system>Be brief.<user>Deploy?");
});
