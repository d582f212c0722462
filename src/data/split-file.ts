import { z } from "zod";
import { LABELS } from "../core/intervention.ts";
import { readJsonFile } from "./json-file.ts";
import type { Split } from "./types.ts";
import { writeFileAtomic } from "./write-file.ts";

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hex digits");
const contentHash = z.string().regex(/^[0-9a-f]{16}$/, "must be 16 hex digits");

const ids = z.array(z.string()).min(1, "must not be empty");

const partCounts = z.strictObject({
  traces: count,
  families: count,
  labels: z.record(z.enum(LABELS), count),
});

/** See `Split`. */
export const splitSchema: z.ZodType<Split> = z.strictObject({
  version: z.literal(1),
  set: z.strictObject({ name: z.string(), digest: sha256 }),
  policy: z.strictObject({
    by: z.enum(["family", "trace"]),
    seed: z.string(),
    near: z.boolean(),
    requested: z.int().positive(),
    extends: sha256.exactOptional(),
  }),
  counts: z.strictObject({ train: partCounts, test: partCounts }),
  train: ids,
  test: ids,
  content: z.strictObject({ train: z.array(contentHash), test: z.array(contentHash) }),
});

/**
 * Reads a split. Whether it fits a set is `verifySplit`'s business.
 *
 * @throws SteerError `not_found`, `unreadable`, `foreign_version`, or `invalid` listing every fault
 */
export async function readSplit(path: string): Promise<Split> {
  return readJsonFile(path, splitSchema, "split file");
}

/** Writes a split; the bytes depend on the split and on nothing else. */
export async function writeSplit(path: string, split: Split): Promise<void> {
  await writeFileAtomic(path, splitText(split));
}

/** The lines of a split file: fields in a fixed order, one id a line, so that changes can be read. */
function* splitText({
  version,
  set,
  policy,
  counts,
  train,
  test,
  content,
}: Split): Generator<string> {
  const { by, seed, near, requested } = policy;
  const head = {
    version,
    set: { name: set.name, digest: set.digest },
    policy: {
      by,
      seed,
      near,
      requested,
      ...(policy.extends === undefined ? {} : { extends: policy.extends }),
    },
    counts: { train: countsText(counts.train), test: countsText(counts.test) },
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "train": `;
  yield* listText(train, "  ");
  yield ',\n  "test": ';
  yield* listText(test, "  ");
  yield ',\n  "content": {\n    "train": ';
  yield* listText(content.train, "    ");
  yield ',\n    "test": ';
  yield* listText(content.test, "    ");
  yield "\n  }\n}\n";
}

function countsText({ traces, families, labels }: Split["counts"]["train"]) {
  return {
    traces,
    families,
    labels: Object.fromEntries(LABELS.map((label) => [label, labels[label]])),
  };
}

/** Items written at a time: a million lines in one text would take as much memory as the set. */
const BLOCK = 4096;

function* listText(items: readonly string[], indent: string): Generator<string> {
  for (let start = 0; start < items.length; start += BLOCK) {
    const lines = items.slice(start, start + BLOCK).map((item) => JSON.stringify(item));
    yield `${start === 0 ? "[" : ","}\n${indent}  ${lines.join(`,\n${indent}  `)}`;
  }
  yield items.length === 0 ? "[]" : `\n${indent}]`;
}
