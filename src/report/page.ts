import { createHash } from "node:crypto";
import { FILTER_SCRIPT } from "./filter-form.ts";
import { html, type Markup, trusted } from "./markup.ts";
import { stylesheet } from "./styles.ts";

/** A heading and what stands below it, at `#name`. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly content: Markup;
  /** Says only that there is nothing to see: no place to go to from the contents. */
  readonly isAbsent?: boolean;
}

/** What frames the sections. */
export interface PageOptions {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly Section[];
  readonly footer: Markup;
}

/**
 * The whole document. Its policy allows no request and no script but the one whose hash it names,
 * so that a text which broke out of its place still could not run.
 */
export function pageOf({ title, subtitle, sections, footer }: PageOptions): string {
  const script = createHash("sha256").update(FILTER_SCRIPT).digest("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${script}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(stylesheet())}</style>
</head>
<body>
<a class="skip" href="#answers">Skip to the answers</a>
<header>
<h1>${title}</h1>
<p class="subtitle">${subtitle}</p>
<nav aria-label="Contents"><ol>${sections
    .filter(({ isAbsent }) => !isAbsent)
    .map(({ name, title: text }) => html`<li><a href="#${name}">${text}</a></li>`)}</ol></nav>
</header>
<main>
${sections.map(
  ({ name, title: text, content }) => html`<section aria-labelledby="${name}">
<h2 id="${name}">${text}</h2>
${content}
</section>
`,
)}</main>
<footer>${footer}</footer>
<script>${trusted(FILTER_SCRIPT)}</script>
</body>
</html>
`.markup;
}
