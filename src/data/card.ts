import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import { DOMAINS, type Domain } from "../core/trace.ts";
import type { OnProgress } from "./jsonl.ts";
import { countTexts, type LabelFigures } from "./text-figures.ts";
import { PARTS, type Part, type ScenarioSet, type Split, type TraceHead } from "./types.ts";

/** Fewer test traces of a label than this say next to nothing about it: an interval of ±30 points. */
const FEW = 10;

/** Traces by label and domain. */
export type LabelByDomain = Readonly<Record<Label, Readonly<Record<Domain, number>>>>;

/** One side of a split, or the whole set. */
export interface CardPart {
  readonly part: Part | "all";
  readonly traces: number;
  readonly families: number;
  readonly counts: LabelByDomain;
}

/** What is in a scenario set. */
export interface DataCard {
  readonly name: string;
  readonly version: string;
  readonly licence: string | null;
  readonly canary: string | null;
  readonly digest: string;
  /** sha256 of each file, by path relative to the set. */
  readonly files: Readonly<Record<string, string>>;
  /** The whole set, then, with a split, train and test. */
  readonly parts: readonly CardPart[];
  readonly figures: Readonly<Record<Label, LabelFigures>>;
  readonly warnings: readonly string[];
}

/** Counts a set and, where a split is given, each of its sides. */
export async function makeCard(
  set: ScenarioSet,
  split?: Split,
  onProgress?: OnProgress,
): Promise<DataCard> {
  const { name, version, licence, canary, digest, files, heads, warnings } = set;
  const parts = [countPart("all", heads)];
  if (split) {
    for (const part of PARTS) {
      const ids = new Set(split[part]);
      parts.push(
        countPart(
          part,
          heads.filter(({ id }) => ids.has(id)),
        ),
      );
    }
  }
  return {
    ...{ name, version, licence, canary, digest, files, parts },
    figures: await countTexts(set, onProgress),
    warnings: [...warnings, ...parts.flatMap(labelWarnings)],
  };
}

function countPart(part: CardPart["part"], heads: readonly TraceHead[]): CardPart {
  const counts = byLabel(
    () => Object.fromEntries(DOMAINS.map((domain) => [domain, 0])) as Record<Domain, number>,
  );
  for (const { label, domain } of heads) counts[label][domain]++;
  const families = new Set(heads.map(({ family }) => family)).size;
  return { part, traces: heads.length, families, counts };
}

function labelWarnings({ part, counts }: CardPart): string[] {
  const name = part === "all" ? "the set" : part;
  return LABELS.flatMap((label) => {
    const traces = DOMAINS.reduce((sum, domain) => sum + counts[label][domain], 0);
    if (traces === 0) return [`${label} is missing from ${name}`];
    const isFew = part === "test" && traces < FEW;
    return isFew ? [`${name} has only ${traces} traces of ${label}`] : [];
  });
}
