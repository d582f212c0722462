import fc from "fast-check";
import { expect, test } from "vitest";
import { groupAdvantages } from "../../src/env/group.ts";
import { advantagesRoute } from "../../src/serve/v1/advantages-route.ts";
import { OUTCOMES } from "../../src/task/outcome.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { answerOf, makeService, post, start } from "./support.ts";

test("gives each group's advantages, or why it carries no signal, and counts the reasons", async () => {
  const server = await start();
  const groups = [
    { id: "mixed", outcomes: ["correct", "wrong", "wrong", "correct"] },
    { id: "right", outcomes: ["correct", "correct"] },
    { id: "same", outcomes: ["wrong", "wrong"] },
    { id: "price", outcomes: ["wrong", "missed_act"] },
  ];
  const { body } = await post(server, "/v1/advantages", { groups, scheme: "symmetric" });
  expect(body.results).toEqual([
    {
      id: "mixed",
      outcomes: groups[0]?.outcomes,
      rewards: [1, 0, 0, 1],
      advantages: [0.5, -0.5, -0.5, 0.5],
      skip: null,
    },
    ...[
      ["right", "all_correct", [1, 1]],
      ["same", "same_mistake", [0, 0]],
      ["price", "equal_price", [0, 0]],
    ].map(([id, skip, rewards], k) => ({
      ...{ id, outcomes: groups[k + 1]?.outcomes, rewards, advantages: null, skip },
    })),
  ]);
  expect(body.skipped).toEqual({ all_correct: 1, same_mistake: 1, equal_price: 1 });
});

test("scores the answers of a group first, where it brings answers", async () => {
  const server = await start();
  const items = ["ACT", "ASK", "WAIT"].map((label) => ({ answer: answerOf(label), gold: "ASK" }));
  const { body } = await post(server, "/v1/advantages", { groups: [{ id: 1, items }] });
  expect(body.scheme).toBe("asymmetric");
  expect(body.results[0]).toMatchObject({
    outcomes: ["premature_act", "correct", "wrong"],
    rewards: [-1, 1, 0],
    advantages: [-1, 1, 0],
  });
});

test("F03, F11: a faulty group says why at its place, with no advantages, and harms no other", async () => {
  const server = await start();
  const good = { id: "good", outcomes: ["correct", "wrong"] };
  const groups = [
    good,
    { id: "empty", outcomes: [] },
    { id: "unknown", outcomes: ["correct", "fine"] },
    { id: "no gold", items: [{ answer: answerOf("ACT"), gold: "ACT" }, { answer: "ACT" }] },
    { id: "both", items: [], outcomes: [] },
    7,
    { ...good, id: "last" },
  ];
  const { status, body } = await post(server, "/v1/advantages", { groups });
  expect(status).toBe(200);
  expect(body.results).toHaveLength(groups.length);
  for (const k of [1, 2, 3, 4, 5]) {
    expect(body.results[k]).toMatchObject({ advantages: null, error: { code: "invalid" } });
  }
  expect(body.results[3].error.message).toMatch(/^items\[1\]: gold: required field is missing/);
  for (const k of [0, 6]) expect(body.results[k].advantages).toEqual([0.5, -0.5]);
});

test("the groups of one request are bounded by their answers", async () => {
  const server = await start({ limits: { items: 3 } });
  const groups = [{ outcomes: ["correct", "wrong"] }, { outcomes: ["correct", "wrong"] }];
  const { status, body } = await post(server, "/v1/advantages", { groups });
  expect(status).toBe(400);
  expect(body.error.message).toContain("must hold at most 3 answers in all");
});

test("equals groupAdvantages for any outcomes under both schemes", async () => {
  const server = await start();
  const group = fc.array(fc.constantFrom(...OUTCOMES), { minLength: 1, maxLength: 16 });
  const samples = fc.sample(group, { numRuns: 300, seed: 1 });
  for (const scheme of Object.values(SCHEMES)) {
    const groups = samples.map((outcomes) => ({ outcomes }));
    const { body } = await post(server, "/v1/advantages", { groups, scheme: scheme.name });
    for (const [k, outcomes] of samples.entries()) {
      expect(body.results[k]).toMatchObject(groupAdvantages(outcomes, scheme));
    }
  }
});

test("a group of many long answers lets other work run in between", async () => {
  const { service } = makeService();
  const items = Array(20).fill({ answer: "x".repeat(65_536), gold: "ASK" });
  let turns = 0;
  let isDone = false;
  const other = (async () => {
    for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve));
  })();
  await advantagesRoute(service).handle({ groups: [{ items }] }, { isGone: () => false });
  isDone = true;
  await other;
  expect(turns).toBeGreaterThanOrEqual(19);
});
