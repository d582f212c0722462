import fc from "fast-check";
import { expect, test } from "vitest";
import { buildPrefixTree, type PrefixNode } from "../../../src/model/onnx/prefix-tree.ts";

const sequences = fc.array(fc.array(fc.nat(2), { minLength: 1, maxLength: 12 }), { maxLength: 12 });
const leastSaved = fc.nat(8);

/** Each item's whole sequence, as the tree spells it. */
function spell(node: PrefixNode, above: readonly number[] = []): Map<number, number[]> {
  const here = [...above, ...node.tokens];
  const found = new Map<number, number[]>();
  for (const { tokens, items } of node.leaves) {
    for (const item of items) found.set(item, [...here, ...tokens]);
  }
  for (const child of node.children)
    for (const [item, ids] of spell(child, here)) found.set(item, ids);
  return found;
}

/** Tokens that a walk of the tree reads, and in how many calls. */
function cost(node: PrefixNode): { tokens: number; calls: number } {
  const own = { tokens: node.tokens.length, calls: node.tokens.length > 0 ? 1 : 0 };
  const parts = [
    ...node.leaves.map(({ tokens }) => ({ tokens: tokens.length, calls: 1 })),
    ...node.children.map(cost),
  ];
  return parts.reduce((a, b) => ({ tokens: a.tokens + b.tokens, calls: a.calls + b.calls }), own);
}

function leavesOf(node: PrefixNode): PrefixNode["leaves"] {
  return [...node.leaves, ...node.children.flatMap(leavesOf)];
}

test("spells every sequence, and leaves each a last token of its own", () => {
  fc.assert(
    fc.property(sequences, leastSaved, (list, least) => {
      const tree = buildPrefixTree(list, least);
      const spelled = spell(tree);
      expect(list.map((_, item) => spelled.get(item))).toEqual(list);
      expect(leavesOf(tree).every(({ tokens }) => tokens.length > 0)).toBe(true);
    }),
  );
});

test("does not depend on the order of the sequences", () => {
  fc.assert(
    fc.property(sequences, leastSaved, (list, least) => {
      const strip = (node: PrefixNode): unknown => [
        node.tokens,
        node.children.map(strip),
        node.leaves.map(({ tokens, items }) => [tokens, items.length]),
      ];
      const backward = buildPrefixTree([...list].reverse(), least);
      expect(strip(backward)).toEqual(strip(buildPrefixTree(list, least)));
    }),
  );
});

test("a further call saves at least what it must", () => {
  fc.assert(
    fc.property(sequences, leastSaved, (list, least) => {
      const single = new Set(list.map((ids) => ids.join()));
      const plain = [...single].reduce((sum, ids) => sum + ids.split(",").length, 0);
      const { tokens, calls } = cost(buildPrefixTree(list, least));
      expect(plain - tokens).toBeGreaterThanOrEqual((calls - single.size) * least);
    }),
  );
});

test("equal sequences are one leaf", () => {
  const [leaf, ...others] = leavesOf(buildPrefixTree([[1, 2], [3], [1, 2]], 0));
  expect(others).toHaveLength(1);
  expect([...(leaf?.items ?? [])].sort()).toEqual([0, 2]);
});

test("what all share is read once, what some share below it", () => {
  const common = Array.from({ length: 40 }, (_, i) => i);
  const family = Array.from({ length: 40 }, (_, i) => 100 + i);
  const tree = buildPrefixTree([
    [...common, ...family, 1],
    [...common, ...family, 2],
    [...common, 3],
    common,
  ]);
  // One of them is the common part itself, which keeps its last token.
  expect(tree.tokens).toEqual(common.slice(0, -1));
  expect(tree.children.map(({ tokens }) => tokens)).toEqual([[39, ...family]]);
  expect(tree.leaves.map(({ tokens }) => tokens)).toEqual([[39], [39, 3]]);
});

test("short common beginnings are not worth a call", () => {
  const tree = buildPrefixTree([
    [1, 2, 3],
    [1, 2, 4],
  ]);
  expect([tree.tokens, tree.children]).toEqual([[], []]);
  expect(tree.leaves.map(({ tokens }) => tokens)).toEqual([
    [1, 2, 3],
    [1, 2, 4],
  ]);
});
