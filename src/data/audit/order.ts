import { LABELS, type Label } from "../../core/intervention.ts";
import { orderById } from "../set-checks.ts";
import type { ScenarioSet, TraceHead } from "../types.ts";
import type { AuditCheck } from "./check.ts";

/** Findings that are listed one by one. */
const LISTED = 20;

/**
 * Looks for labels and families that can be read from ids or from the place of a row: ids that
 * spell them, neighbours (by id, or in the file) whose labels depend on each other as they do when
 * rows are sorted or take turns, and families that stand together.
 */
export function orderCheck({ heads }: ScenarioSet): AuditCheck {
  const byId = [...orderById(heads)].map((position) => heads[position] as TraceHead);
  const telling = heads.filter(tells);
  const orders = [
    ...labelFindings("in the files", heads),
    ...labelFindings("by id", byId),
    ...familyFindings("in the files", byFile(heads)),
    ...familyFindings("by id", [byId]),
  ];
  const listed = telling.slice(0, LISTED).map(({ file, line, id }) => {
    return `${file}:${line}: ${id} spells its label, domain or family`;
  });
  const rest = telling.length - listed.length;
  return {
    name: "ids and order",
    passed: telling.length === 0 && orders.length === 0,
    detail: `${telling.length} ids that spell label, domain or family; ${orders.length} signs in the order of rows and ids`,
    findings: [...orders, ...listed, ...(rest > 0 ? [`and ${rest} more ids`] : [])],
  };
}

function tells({ id, label, domain, family }: TraceHead): boolean {
  const words = id.toLowerCase().split(/[^a-z]+/);
  const text = id.toLowerCase();
  // A family of one may share its trace's digits; from eight characters on it is no accident.
  const bare = family.toLowerCase().replace(/^f-/, "");
  const isNamed = text.includes(family.toLowerCase()) || (bare.length >= 8 && text.includes(bare));
  return words.includes(label.toLowerCase()) || text.includes(domain) || isNamed;
}

function labelFindings(name: string, rows: readonly TraceHead[]): string[] {
  const association = neighbourAssociation(rows.map(({ label }) => label));
  // Independent neighbours give about 2 / √n; a tenth more is no longer chance.
  const bar = 0.1 + 2 / Math.sqrt(rows.length);
  if (association <= bar) return [];
  const figures = `Cramér's V ${association.toFixed(2)}, at most ${bar.toFixed(2)} expected`;
  return [`labels of neighbours ${name} depend on each other: ${figures}`];
}

function byFile(heads: readonly TraceHead[]): TraceHead[][] {
  const files = new Map<string, TraceHead[]>();
  for (const head of heads) {
    const rows = files.get(head.file);
    if (rows) rows.push(head);
    else files.set(head.file, [head]);
  }
  return [...files.values()];
}

function familyFindings(name: string, lists: readonly (readonly TraceHead[])[]): string[] {
  let [together, expected, families] = [0, 0, 0];
  for (const rows of lists) {
    const sizes = new Map<string, number>();
    for (const [k, { family }] of rows.entries()) {
      sizes.set(family, (sizes.get(family) ?? 0) + 1);
      if (family === rows[k + 1]?.family) together++;
    }
    families += sizes.size;
    for (const size of sizes.values()) expected += (size * (size - 1)) / rows.length;
  }
  const bar = Math.ceil(expected + 4 * Math.sqrt(expected) + 5);
  if (families < 2 || together <= bar) return [];
  return [`${together} neighbours ${name} are of one family, at most ${bar} expected`];
}

/** Cramér's V of each label with the next one, 0 to 1. */
function neighbourAssociation(labels: readonly Label[]): number {
  const size = LABELS.length;
  const pairs = labels.length - 1;
  const table = LABELS.map(() => new Array<number>(size).fill(0));
  const [from, to] = [new Array<number>(size).fill(0), new Array<number>(size).fill(0)];
  for (let k = 0; k < pairs; k++) {
    const [a, b] = [LABELS.indexOf(labels[k] as Label), LABELS.indexOf(labels[k + 1] as Label)];
    (table[a] as number[])[b] = (table[a]?.[b] ?? 0) + 1;
    from[a] = (from[a] ?? 0) + 1;
    to[b] = (to[b] ?? 0) + 1;
  }
  let chiSquare = 0;
  for (const [a, row] of table.entries()) {
    for (const [b, count] of row.entries()) {
      const expected = ((from[a] ?? 0) * (to[b] ?? 0)) / pairs;
      if (expected > 0) chiSquare += (count - expected) ** 2 / expected;
    }
  }
  return pairs < 1 ? 0 : Math.sqrt(chiSquare / (pairs * (size - 1)));
}
