import { expect, test } from "vitest";
import { assemblePage } from "../../web/build/assemble.ts";
import { playTrace } from "./support.ts";

const TEMPLATE = "<!-- policy --><!-- style --><!-- deck --><!-- script -->";
const parts = { template: TEMPLATE, style: "p{}", script: "run()" };
const set = { name: "s", version: "1", licence: null, canary: null };
const deckOf = (observation: string) => ({
  set,
  parts: { test: [playTrace({ observation })], train: [] },
});

test("texts of a deck end no element, fill no slot and come back as they were", () => {
  const hostile = "</script><!-- script --><!-- <script> $& $` $1 \ud800 \u2028 ]]>";
  const deck = deckOf(hostile);
  const page = assemblePage({ ...parts, deck });
  expect(page.match(/<\/?script/g)).toHaveLength(4);
  expect(page.match(/run\(\)/g)).toHaveLength(1);
  const json = /id="deck">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
  expect(JSON.parse(json)).toEqual(deck);
});

test("allows exactly its own script and style, and no address", () => {
  const page = assemblePage({ ...parts, deck: deckOf("x") });
  const policy = /content="([^"]*)"/.exec(page)?.[1];
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; img-src data:;/,
  );
});

test.each([
  { script: "x = '</script>'" },
  { script: "x = '<!--'" },
  { style: "p::after{content:'</style>'}" },
])("refuses %j, which would end early", (change) => {
  expect(() => assemblePage({ ...parts, ...change, deck: deckOf("x") })).toThrow(
    "write it in two parts",
  );
});
