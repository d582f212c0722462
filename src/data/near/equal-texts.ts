import { compareText } from "../../core/hash.ts";
import type { ScenarioSet } from "../types.ts";
import type { Screening } from "./screen.ts";
import { collapsed, comparedText } from "./shingler.ts";

/** Rows with equal texts: each with the one of them that has the smallest id, which is `a`. */
export function equalTexts(
  set: Pick<ScenarioSet, "heads" | "readTrace">,
  { textLo, textHi }: Pick<Screening, "textLo" | "textHi">,
): { a: number; b: number }[] {
  const idOf = (position: number) => set.heads[position]?.id ?? "";
  return sameHash(textLo, textHi).flatMap((positions) =>
    sameText(set, positions).flatMap((group) => {
      const [first, ...others] = group.sort((a, b) => compareText(idOf(a), idOf(b)));
      return first === undefined ? [] : others.map((b) => ({ a: first, b }));
    }),
  );
}

/** Groups of two or more positions whose hashes are equal. */
function sameHash(lo: Uint32Array, hi: Uint32Array): number[][] {
  const order = Uint32Array.from(lo, (_, i) => i);
  order.sort(
    (a, b) => (lo[a] as number) - (lo[b] as number) || (hi[a] as number) - (hi[b] as number),
  );
  const groups: number[][] = [];
  let group: number[] = [];
  for (const position of order) {
    const [first] = group;
    if (first !== undefined && lo[first] === lo[position] && hi[first] === hi[position]) {
      group.push(position);
      if (group.length === 2) groups.push(group);
    } else group = [position];
  }
  return groups;
}

/** Equal hashes are only a sign; the texts decide. */
function sameText(set: Pick<ScenarioSet, "readTrace">, positions: readonly number[]): number[][] {
  const byText = new Map<string, number[]>();
  for (const position of positions) {
    const text = collapsed(comparedText(set.readTrace(position)));
    const group = byText.get(text);
    if (group) group.push(position);
    else byText.set(text, [position]);
  }
  return [...byText.values()].filter((group) => group.length > 1);
}
