import type { KeyValueCache } from "./cache.ts";
import type { PrefixLeaf, PrefixNode } from "./prefix-tree.ts";
import type { DecoderSession } from "./session.ts";

/** A part of a prefix tree that one worker reads: the shared tokens above it, and the part itself. */
export interface TreeUnit {
  /** Tokens of the nodes from the root down to the one above `node`; empty nodes are left out. */
  readonly path: readonly (readonly number[])[];
  readonly node: PrefixNode;
}

/** Keeps the caches of the last path, so that units with the same path read it once. */
export interface PathMemory {
  steps: { readonly tokens: readonly number[]; readonly cache: KeyValueCache }[];
}

/**
 * Reads a unit depth first.
 *
 * @param visit called for each node that has leaves, with the keys and values of everything above
 * them, in one row
 */
export async function visitTree(
  session: DecoderSession,
  { path, node }: TreeUnit,
  memory: PathMemory,
  visit: Visit,
): Promise<void> {
  await visitNode(session, node, await readPath(session, path, memory), visit);
}

/** See {@link visitTree}. */
export type Visit = (leaves: readonly PrefixLeaf[], above: KeyValueCache) => Promise<void>;

async function visitNode(
  session: DecoderSession,
  { tokens, leaves, children }: PrefixNode,
  above: KeyValueCache,
  visit: Visit,
): Promise<void> {
  const cache = await readTokens(session, tokens, above);
  if (leaves.length > 0) await visit(leaves, cache);
  for (const child of children) await visitNode(session, child, cache, visit);
}

async function readPath(
  session: DecoderSession,
  path: TreeUnit["path"],
  memory: PathMemory,
): Promise<KeyValueCache> {
  let known = 0;
  while (known < path.length && isEqual(memory.steps[known]?.tokens, path[known])) known++;
  memory.steps = memory.steps.slice(0, known);
  for (const tokens of path.slice(known)) {
    const above = memory.steps.at(-1)?.cache ?? session.empty;
    memory.steps.push({ tokens, cache: await readTokens(session, tokens, above) });
  }
  return memory.steps.at(-1)?.cache ?? session.empty;
}

async function readTokens(
  session: DecoderSession,
  tokens: readonly number[],
  cache: KeyValueCache,
): Promise<KeyValueCache> {
  if (tokens.length === 0) return cache;
  return (await session.run({ rows: [tokens], cache, last: 0, keep: "cache" })).cache;
}

function isEqual(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return a !== undefined && a.length === b?.length && a.every((token, i) => token === b[i]);
}
