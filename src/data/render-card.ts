import { LABELS, type Label } from "../core/intervention.ts";
import { DOMAINS, SCOPES } from "../core/trace.ts";
import type { CardPart, DataCard } from "./card.ts";
import { type LabelFigures, SECTIONS, shownWords } from "./text-figures.ts";

/** The data card as Markdown. */
export function renderCard(card: DataCard): string {
  const { name, version, licence, canary, digest, files, parts, figures, warnings } = card;
  return [
    `# ${name} ${version}\n`,
    `- licence: ${licence ?? "not stated"}\n- canary: ${canary ?? "none"}\n- digest: ${digest}\n`,
    ...(warnings.length > 0 ? [warnings.map((warning) => `- warning: ${warning}\n`).join("")] : []),
    ...parts.map(renderPart),
    `## Texts\n\nMeans per trace.\n\n${renderFigures(figures)}`,
    `## Tempting labels\n\nHow often each label (row) tempts with another (column).\n\n${renderTempting(figures)}`,
    `## Files\n\n${markdownTable(["file", "sha256"], Object.entries(files))}`,
  ].join("\n");
}

function renderPart({ part, traces, families, counts }: CardPart): string {
  const rows = LABELS.map((label) => {
    const cells = DOMAINS.map((domain) => counts[label][domain]);
    return [label, ...cells, cells.reduce((a, b) => a + b, 0)];
  });
  const title = part === "all" ? "All" : part === "train" ? "Train" : "Test";
  const table = markdownTable(["label", ...DOMAINS, "all"], rows);
  return `## ${title}: ${traces} traces in ${families} families\n\n${table}`;
}

function renderFigures(figures: Readonly<Record<Label, LabelFigures>>): string {
  const mean = (sum: number, traces: number) => (traces === 0 ? "n/a" : (sum / traces).toFixed(1));
  const rows = LABELS.map((label) => {
    const own = figures[label];
    const per = (sum: number) => mean(sum, own.traces);
    const words = SECTIONS.map((section) => per(own.words[section]));
    const scopes = SCOPES.map((scope) => per(own.scopes[scope]));
    return [label, per(shownWords(own)), ...words, per(own.entries), ...scopes, own.also];
  });
  const head = [
    "label",
    "words shown",
    ...SECTIONS.map((section) => `${section} words`),
    "entries",
    ...SCOPES.map((scope) => `${scope} entries`),
    "with also",
  ];
  return markdownTable(head, rows);
}

function renderTempting(figures: Readonly<Record<Label, LabelFigures>>): string {
  const rows = LABELS.map((gold) => [
    gold,
    ...LABELS.map((label) => figures[gold].tempting[label]),
  ]);
  return markdownTable(["gold", ...LABELS], rows);
}

/** Cells padded to equal width, so that the source reads as a table, too. */
function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const all = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, k) => Math.max(...all.map((row) => row[k]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, k) => (k === 0 ? (cells[k] ?? "").padEnd(width) : (cells[k] ?? "").padStart(width))).join(" | ")} |\n`;
  const rule = `|${widths.map((width, k) => (k === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|\n`;
  return `${line(head)}${rule}${all.slice(1).map(line).join("")}`;
}
