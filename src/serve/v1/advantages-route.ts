import { z } from "zod";
import { SteerError } from "../../core/errors.ts";
import { groupAdvantages, SKIP_REASONS, type SkipReason } from "../../env/group.ts";
import { OUTCOMES, type Outcome } from "../../task/outcome.ts";
import { type ItemResult, itemIdSchema, scoreItemSchema } from "../item-schema.ts";
import { choosePricing, schemeChoiceSchema } from "../pricing.ts";
import { postRoute, type Route } from "../route.ts";
import { type Scoring, scoreItem } from "../score-item.ts";
import type { Service } from "../service.ts";
import { itemCost, mapInSlices } from "../slices.ts";
import { validated } from "../validated.ts";
import { toWireError, wireErrorSchema } from "../wire-error.ts";

const EMPTY = "must hold at least one answer";

const outcomesGroup = z.strictObject({
  id: itemIdSchema.nullish(),
  outcomes: z.array(z.enum(OUTCOMES)).min(1, EMPTY),
});

const itemsGroupOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ id: itemIdSchema.nullish(), items: z.array(item).min(1, EMPTY) });
const itemsGroup = itemsGroupOf(z.unknown());

const goodGroup = z.strictObject({
  id: itemIdSchema.nullable(),
  outcomes: z.array(z.enum(OUTCOMES)),
  rewards: z.array(z.number()),
  /** Reward minus the group's mean; null for a group that carries no signal. */
  advantages: z.array(z.number()).nullable(),
  skip: z.enum(SKIP_REASONS).nullable(),
});

const failedGroup = z.strictObject({
  id: itemIdSchema.nullable(),
  advantages: z.null(),
  error: wireErrorSchema,
});

type GroupResult = z.infer<typeof goodGroup> | z.infer<typeof failedGroup>;

/** `POST /v1/advantages`: group advantages, from outcomes or from answers that are scored first. */
export function advantagesRoute({ schemes, traces, limits, log }: Service): Route {
  const bodyOf = <Group extends z.ZodType, Choice extends z.ZodType>(
    group: Group,
    choice: Choice,
  ) =>
    z.strictObject({
      groups: z
        .array(group)
        .refine(
          (groups) => groups.reduce<number>((sum, each) => sum + sizeOf(each), 0) <= limits.items,
          {
            message: `must hold at most ${limits.items} answers in all`,
          },
        ),
      scheme: choice.nullish(),
    });
  const shape = {
    path: "/v1/advantages",
    tag: "scoring",
    summary: "Reward minus the group's mean, or why a group carries no signal.",
    body: bodyOf(z.union([outcomesGroup, itemsGroupOf(scoreItemSchema)]), schemeChoiceSchema),
    checked: bodyOf(z.unknown(), z.unknown()),
    reply: z.strictObject({
      scheme: z.string(),
      results: z.array(z.union([goodGroup, failedGroup])),
      /** Groups that were skipped, by reason. */
      skipped: z.strictObject(bySkipReason(() => z.int())),
    }),
    invalidStatus: 400,
  } as const;
  return postRoute(shape, async ({ groups, scheme }, { isGone }) => {
    const pricing = choosePricing({ scheme }, schemes);
    const scoring = { pricing, key: traces, log };
    // Answer by answer and not group by group: one group may hold all of them.
    const scored = await mapInSlices(groups.flatMap(itemsOf), {
      work: (item) => scoreItem(item, scoring),
      costOf: itemCost,
      isStopped: isGone,
    });
    const waiting = (scored ?? []).values();
    const results = await mapInSlices(scored ? groups : [], {
      work: (group) => describeGroup(group, waiting, scoring),
      costOf: (group) => 1 + sizeOf(group),
      isStopped: isGone,
    });
    const skipped = bySkipReason(
      (reason) => (results ?? []).filter((each) => "skip" in each && each.skip === reason).length,
    );
    return JSON.stringify({ scheme: pricing.primary.name, results: results ?? [], skipped });
  });
}

/** @param waiting the scored answers from this group's first on */
function describeGroup(
  group: unknown,
  waiting: Iterator<ItemResult>,
  scoring: Scoring,
): GroupResult {
  const scored = itemsOf(group).map(() => waiting.next().value as ItemResult);
  try {
    const isOfItems = itemsOf(group) === Object(group).items;
    const { id = null, outcomes } = isOfItems
      ? outcomesOf(validated(itemsGroup, group), scored)
      : validated(outcomesGroup, group);
    const { prices } = scoring.pricing.primary;
    const rewards = outcomes.map((outcome) => prices[outcome]);
    const { advantages, skip } = groupAdvantages(outcomes, { prices });
    return { id, outcomes, rewards, advantages: advantages && [...advantages], skip };
  } catch (error) {
    const { id } = Object(group) as { id?: unknown };
    const isId = typeof id === "string" || typeof id === "number";
    return { id: isId ? id : null, advantages: null, error: toWireError(error, scoring.log) };
  }
}

/** One answer without an outcome leaves the whole group without a mean. */
function outcomesOf({ id }: z.infer<typeof itemsGroup>, scored: readonly ItemResult[]) {
  const outcomes = scored.map((result, k): Outcome => {
    if (!("error" in result)) return result.outcome;
    throw new SteerError("invalid", `items[${k}]: ${result.error.message}`);
  });
  return { id, outcomes };
}

function itemsOf(group: unknown): readonly unknown[] {
  const { items } = Object(group) as { items?: unknown };
  return Array.isArray(items) ? items : [];
}

function sizeOf(group: unknown): number {
  const { outcomes } = Object(group) as { outcomes?: unknown };
  return Array.isArray(outcomes) ? outcomes.length : itemsOf(group).length;
}

function bySkipReason<T>(make: (reason: SkipReason) => T): Record<SkipReason, T> {
  return Object.fromEntries(SKIP_REASONS.map((reason) => [reason, make(reason)])) as Record<
    SkipReason,
    T
  >;
}
