import { OUTCOMES } from "../task/outcome.ts";
import { COLOURS, THEMES } from "./theme.ts";

/** The page's style sheet: no font, image or import from anywhere. */
export function stylesheet(): string {
  return `:root { color-scheme: light dark; ${variables("light")} }
@media (prefers-color-scheme: dark) { :root { ${variables("dark")} } }
@media print { :root { color-scheme: light; ${variables("light")} } }
${RULES}${OUTCOMES.map((outcome) => `.${outcome} { --mark: var(--${outcome}); }\n`).join("")}`;
}

function variables(theme: keyof typeof THEMES): string {
  return COLOURS.map((colour) => `--${colour}: ${THEMES[theme][colour]};`).join(" ");
}

const RULES = `* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 1088px; margin: 0 auto; padding: 0 16px; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 2rem 0 .25rem; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 3rem 0 .5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .5rem 0; }
.lead, .subtitle, .note, caption, footer { color: var(--soft); }
.lead { max-width: 72ch; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, select:focus-visible, input:focus-visible, button:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 16px; top: 8px; padding: .5rem 1rem; background: var(--paper); z-index: 1; }
nav ol { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .15rem 0; }
.terms { margin: .75rem 0; max-width: 80ch; }
.sentences { max-width: 80ch; padding-left: 1.5rem; }
.sentences li { margin: .5rem 0; }
.warning { border-left: 4px solid var(--premature_act); padding-left: .75rem; max-width: 80ch; }
.drawings { display: flex; flex-wrap: wrap; gap: 32px 36px; margin: 1.25rem 0; align-items: flex-start; }
.drawing { display: block; width: 328px; max-width: 100%; height: auto; flex: none; color: var(--ink); font-family: system-ui, sans-serif; }
.drawing text { white-space: pre; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-top: .35rem; font-size: .875rem; color: var(--ink); }
.key span { white-space: nowrap; }
.key span::before { content: ""; display: inline-block; width: .7em; height: .7em; margin-right: .4em; background: var(--mark); }
.drawings caption, details caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.beside { flex: 1 1 420px; min-width: 0; }
.scroll { overflow-x: auto; margin: .75rem 0; background: linear-gradient(90deg, var(--paper) 40%, transparent) 0 0 / 3rem 100% no-repeat local, linear-gradient(270deg, var(--paper) 40%, transparent) 100% 0 / 3rem 100% no-repeat local, linear-gradient(90deg, var(--line), transparent) 0 0 / .75rem 100% no-repeat, linear-gradient(270deg, var(--line), transparent) 100% 0 / .75rem 100% no-repeat; }
td { white-space: pre; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0 0 .35rem; }
th, td { padding: .3rem 0 .3rem .9rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; white-space: nowrap; }
thead th { white-space: normal; overflow-wrap: normal; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tbody th { white-space: normal; min-width: 7rem; max-width: 22rem; font-weight: 400; }
thead th { vertical-align: bottom; }
summary { cursor: pointer; }
details > summary { padding: .25rem 0; }
.provenance { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 16px; }
.arm-card { background: var(--card); border-radius: 8px; padding: 16px; min-width: 0; }
dl { display: grid; grid-template-columns: minmax(5.5rem, max-content) minmax(0, 1fr); gap: .15rem .75rem; margin: 0; font-size: .875rem; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
.hashes { grid-template-columns: minmax(0, 1fr); gap: 0; }
.hashes dd { font-family: ui-monospace, monospace; font-size: .75rem; margin-bottom: .35rem; }
#filter:not([hidden]) { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; margin: 1rem 0; padding: 16px; background: var(--card); border-radius: 8px; }
#filter label { display: grid; font-size: .875rem; color: var(--soft); min-width: 0; }
#filter select, #filter input, #filter button { font: inherit; font-size: 1rem; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: 4px; padding: .35rem .5rem; min-height: 2.5rem; max-width: 100%; }
#filter select { width: 11rem; }
#filter output { padding: .5rem 0; }
.trace { border-bottom: 1px solid var(--line); }
.trace > summary { display: grid; grid-template-columns: minmax(0, 11rem) 6rem 6rem minmax(0, 1fr); gap: .25rem .75rem; padding: .6rem 0; align-items: baseline; }
.trace > summary::before { content: none; }
.id { font-family: ui-monospace, monospace; font-size: .875rem; }
.trace .id::before { content: "▸ "; color: var(--soft); }
.trace[open] .id::before { content: "▾ "; }
.gold, .marks b { font-size: .8125rem; font-weight: 600; }
.domain { font-size: .875rem; color: var(--soft); }
.marks { display: flex; flex-wrap: wrap; gap: .25rem .5rem; }
.marks b { padding: 0 .35rem; border-left: 4px solid var(--mark, var(--line)); font-weight: 400; white-space: nowrap; }
.body { padding: .25rem 0 1.25rem 1rem; scroll-margin-top: 3.5rem; }
.answer { border-left: 4px solid var(--mark, var(--line)); margin: .75rem 0 0; padding: .1rem 0 .1rem .75rem; font-size: .9375rem; }
.note { font-size: .875rem; }
pre { font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border-radius: 4px; padding: .6rem .75rem; margin: .35rem 0; }
.situation { margin: .5rem 0; }
.situation div { white-space: pre-wrap; }
.tall { max-height: 22rem; overflow-y: auto; }
i[data-code] { font-style: normal; unicode-bidi: isolate; }
i[data-code]::before { content: attr(data-code); font: .75em ui-monospace, monospace; border: 1px solid var(--soft); border-radius: 3px; padding: 0 .2em; color: var(--soft); }
footer { margin: 3rem auto 2rem; font-size: .875rem; }
@media (max-width: 640px) {
  .trace > summary { grid-template-columns: minmax(0, 1fr) auto; }
  .marks { grid-column: 1 / -1; }
  .domain { grid-column: 1; }
  .gold { grid-column: 2; grid-row: 1; }
  #filter:not([hidden]) { display: grid; grid-template-columns: 1fr 1fr; }
  #filter select, #filter input, #filter button { width: 100%; }
  .body { padding-left: 0; }
  .situation { grid-template-columns: minmax(0, 1fr); }
  .situation dd { margin-bottom: .35rem; }
}
@media (max-width: 480px) {
  #filter:not([hidden]) { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  #filter, nav, .skip { display: none !important; }
  .drawing, .arm-card, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .scroll, .tall { overflow: visible; max-height: none; background: none; }
  body { font-size: 12px; }
}
`;
