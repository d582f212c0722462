/**
 * Token sequences by what they share. The tokens of a node follow its parent's; each is read once,
 * and its keys and values serve everything below.
 */
export interface PrefixNode {
  readonly tokens: readonly number[];
  readonly children: readonly PrefixNode[];
  readonly leaves: readonly PrefixLeaf[];
}

/** The rest of one sequence, never empty: its last token gives the logits. */
export interface PrefixLeaf {
  readonly tokens: readonly number[];
  /** Positions in the list of sequences; several when they are equal. */
  readonly items: readonly number[];
}

interface Entry {
  readonly sequence: readonly number[];
  readonly items: readonly number[];
}

/**
 * A call costs about as much as reading so many tokens, because every weight is fetched anyway:
 * sharing less than this would cost more than it saves.
 */
const LEAST_SAVED_TOKENS = 32;

/**
 * The tree of some non-empty sequences. It depends on the set of sequences alone, not on their
 * order, and so do the scores that come out of it.
 */
export function buildPrefixTree(
  sequences: readonly (readonly number[])[],
  leastSaved = LEAST_SAVED_TOKENS,
): PrefixNode {
  return branch(sortedEntries(sequences), 0, leastSaved);
}

/** The node for entries that agree before `from`, with all that they further share. */
function branch(entries: readonly Entry[], from: number, leastSaved: number): PrefixNode {
  const shared = sharedLength(entries);
  const saved = (shared - from) * (entries.length - 1);
  const start = saved >= leastSaved ? shared : from;
  const children: PrefixNode[] = [];
  const leaves: PrefixLeaf[] = [];
  for (const group of groupByToken(entries, shared)) {
    const below = group.length > 1 ? branch(group, start, leastSaved) : null;
    if (below === null) {
      const [{ sequence, items }] = group as [Entry];
      leaves.push({ tokens: sequence.slice(start), items });
    } else if (below.tokens.length > 0) children.push(below);
    else {
      // The group shares too little for a call of its own: its members hang here.
      children.push(...below.children);
      leaves.push(...below.leaves);
    }
  }
  const tokens = entries[0]?.sequence.slice(from, start) ?? [];
  return { tokens, children, leaves };
}

/** Tokens that sorted entries have in common, leaving each at least one of its own. */
function sharedLength(entries: readonly Entry[]): number {
  const first = entries[0]?.sequence ?? [];
  const last = entries.at(-1)?.sequence ?? [];
  const shortest = entries.reduce((n, { sequence }) => Math.min(n, sequence.length), first.length);
  const most = shortest - 1;
  let length = 0;
  while (length < most && first[length] === last[length]) length++;
  return length;
}

/** Runs of entries with the same token at a place; an entry that ends there is a run of its own. */
function groupByToken(entries: readonly Entry[], place: number): Entry[][] {
  const groups: Entry[][] = [];
  let token: number | undefined;
  for (const entry of entries) {
    const next = entry.sequence.length === place + 1 ? undefined : entry.sequence[place];
    const group = groups.at(-1);
    if (group === undefined || next === undefined || next !== token) groups.push([entry]);
    else group.push(entry);
    token = next;
  }
  return groups;
}

function sortedEntries(sequences: readonly (readonly number[])[]): Entry[] {
  const order = sequences.map((_, i) => i);
  order.sort((a, b) => compare(sequences[a] ?? [], sequences[b] ?? []) || a - b);
  const entries: { sequence: readonly number[]; items: number[] }[] = [];
  for (const item of order) {
    const sequence = sequences[item] ?? [];
    const last = entries.at(-1);
    if (last !== undefined && compare(last.sequence, sequence) === 0) last.items.push(item);
    else entries.push({ sequence, items: [item] });
  }
  return entries;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  }
  return a.length - b.length;
}
