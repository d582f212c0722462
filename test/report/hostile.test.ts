import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { cutText, literal } from "../../src/report/literal.ts";
import { html } from "../../src/report/markup.ts";
import { plainText, shorten } from "../../src/report/plain-text.ts";
import { makeReport } from "../../src/report/report.ts";
import { HOSTILE, hostileRuns } from "./support.ts";

const { runs, texts } = hostileRuns();
const report = makeReport(runs, { texts });

interface Page {
  readonly textContent: string;
  readonly attributes: Iterable<{ readonly name: string }>;
  querySelectorAll(selector: string): Iterable<Page>;
  querySelector(selector: string): Page | null;
}

const { document } = parseHTML(report.page) as unknown as { document: Page };

test("hostile text brings no element of its own into the page", () => {
  expect([...document.querySelectorAll("script")]).toHaveLength(1);
  expect([...document.querySelectorAll("style")]).toHaveLength(1);
  expect([...document.querySelectorAll("img, iframe, object, svg svg, foreignObject")]).toEqual([]);
  for (const element of document.querySelectorAll("*")) {
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on/);
  }
});

test("every answer shows character by character what was written", () => {
  const shown = [...document.querySelectorAll(".answer pre")].map((pre) => pre.textContent);
  for (const text of HOSTILE) {
    const { shown: expected } = cutText(text.toWellFormed(), 4096);
    // Controls cannot be written in HTML; their codes stand in their place.
    expect(shown).toContain(expected.replaceAll(/(?![\t\n])\p{Cc}/gu, ""));
  }
});

test("what cannot be seen is marked with its code", () => {
  const codes = report.page.match(/data-code="U\+[0-9A-F]+"/g) ?? [];
  for (const code of ["202E", "2066", "200F", "0000", "0007", "000D", "2028", "0085"]) {
    expect(codes).toContain(`data-code="U+${code}"`);
  }
});

test("an answer of more than 4 kB is cut with a note, not inside a character", () => {
  expect(document.querySelector("#answers")).not.toBeNull();
  expect(report.page).toContain("cut after 4096 of 9000 bytes; the rest is in answers.jsonl");
  expect(cutText("aé", 2)).toEqual({ shown: "a", bytes: 3 });
  expect(cutText("aé", 3)).toEqual({ shown: "aé", bytes: 3 });
});

test("a drawing's file is well-formed XML whatever names it holds", () => {
  for (const { file } of report.drawings) {
    expect(file).toMatch(/^<svg [^<]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^<]*><title /);
    expect(file).not.toMatch(/<(script|img|style)/);
    expect(file).not.toMatch(/var\(--/);
    expect(file).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#\d+;)/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
    expect(file).not.toMatch(/[\0-\x08\x0b-\x1f\ud800-\udfff\u202e]/);
  }
});

test("file names of drawings are plain words, and differ", () => {
  const names = report.drawings.map(({ name }) => name);
  expect(names.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test("templates escape texts in elements and attributes, but not markup", () => {
  const text = `<"&'>\u202e`;
  expect(html`<a title="${text}">${text}${html`<b>${1}</b>`}${null}</a>`.markup).toBe(
    '<a title="&lt;&quot;&amp;&#39;&gt;[U+202E]">&lt;&quot;&amp;&#39;&gt;[U+202E]<b>1</b></a>',
  );
});

test("joiners and scripts written from the right are left as they are", () => {
  for (const text of ["👩‍💻", "שלום", "مرحبا"]) {
    expect(plainText(text)).toBe(text);
    expect(literal(text).markup).toBe(`<bdi>${text}</bdi>`);
  }
});

test("long names are cut by what they take in width", () => {
  expect(shorten("abcdef", 6)).toBe("abcdef");
  expect(shorten("abcdefg", 6)).toBe("abcde…");
  expect(shorten("漢字漢字", 6)).toBe("漢字…");
  expect(shorten("a\nb", 6)).toBe("a b");
});
