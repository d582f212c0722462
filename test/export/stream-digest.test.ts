import fc from "fast-check";
import { expect, test } from "vitest";
import { digest } from "../../src/core/hash.ts";
import { streamDigest } from "../../src/export/stream-digest.ts";

test("is the digest of the whole text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as object;
      expect(streamDigest(plain)).toBe(digest(plain));
    }),
  );
  const long = { ids: Array.from({ length: 2500 }, (_, k) => `t-${k}`), none: [], empty: {} };
  expect(streamDigest(long)).toBe(digest(long));
});
