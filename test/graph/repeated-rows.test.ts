import { expect, test } from "vitest";
import { gather } from "../../src/graph/primitives/gather.ts";
import { makeTape } from "../../src/graph/tape.ts";
import { floats, integers } from "../../src/graph/tensor-data.ts";
import { numbersOf, openGraph, randomFloats } from "./support.ts";

const [ROWS, WIDTH, CHOSEN] = [16, 256, 8000];

// ScatterND loses some of these updates in most runs, with two threads on an idle machine.
test("rows that are chosen thousands of times lose no gradient when two threads run", async () => {
  const t = makeTape();
  const table = t.input("table", [ROWS, WIDTH], { tracked: true });
  const y = gather(t, table, t.input("indices", ["P"], { type: "int64" }));
  const [gradient = y] = t.gradients(y, t.input("seed", ["P", WIDTH]), [table]);
  t.output("gradient", gradient);
  const session = await openGraph(t.encode(), { threads: 2 });
  const indices = Array.from({ length: CHOSEN }, (_, i) => ((i * i) % 31) % ROWS);
  const seed = randomFloats("rows", CHOSEN * WIDTH).map(Math.abs);
  const expected = new Float64Array(ROWS * WIDTH);
  indices.forEach((row, i) => {
    for (let k = 0; k < WIDTH; k++) {
      const at = row * WIDTH + k;
      expected[at] = (expected[at] as number) + (seed[i * WIDTH + k] as number);
    }
  });
  const feeds = {
    table: floats(new Float32Array(ROWS * WIDTH), [ROWS, WIDTH]),
    indices: integers(indices, [CHOSEN]),
    seed: floats(seed, [CHOSEN, WIDTH]),
  };
  for (let repeat = 0; repeat < 4; repeat++) {
    const found = numbersOf(await session.run(feeds), "gradient");
    const worst = found.reduce((most, value, i) => {
      const gap = Math.abs(value - (expected[i] as number));
      return Math.max(most, gap === 0 ? 0 : gap / (expected[i] as number));
    }, 0);
    expect(worst).toBeLessThan(1e-4);
  }
});
