import { z } from "zod";
import { failedItemSchema, scoredItemSchema, scoreItemSchema } from "../item-schema.ts";
import { choosePricing, schemeChoiceSchema } from "../pricing.ts";
import { postRoute, type Route } from "../route.ts";
import { scoreItem } from "../score-item.ts";
import type { Service } from "../service.ts";
import { itemCost, mapInSlices } from "../slices.ts";

/** `POST /v1/score`: both parses, outcome, rewards and metrics of each answer, in input order. */
export function scoreRoute({ schemes, traces, limits, log }: Service): Route {
  const bodyOf = <Item extends z.ZodType, Choice extends z.ZodType>(item: Item, choice: Choice) =>
    z.strictObject({
      items: z.array(item).max(limits.items, `must hold at most ${limits.items} answers`),
      scheme: choice.nullish(),
      schemes: z.array(choice).nullish(),
    });
  const shape = {
    path: "/v1/score",
    tag: "scoring",
    summary:
      "Score answers. An item that cannot be scored has an error and a null reward at its place.",
    body: bodyOf(scoreItemSchema, schemeChoiceSchema),
    checked: bodyOf(z.unknown(), z.unknown()),
    reply: z.strictObject({
      /** The scheme that gives `reward`, `outcome` and `metrics`. */
      scheme: z.string(),
      results: z.array(z.union([scoredItemSchema, failedItemSchema])),
    }),
    invalidStatus: 400,
  } as const;
  return postRoute(shape, async ({ items, ...choice }, { isGone }) => {
    const pricing = choosePricing(choice, schemes);
    const scoring = { pricing, key: traces, log };
    const results = await mapInSlices(items, {
      work: (item) => JSON.stringify(scoreItem(item, scoring)),
      costOf: itemCost,
      isStopped: isGone,
    });
    const scheme = JSON.stringify(pricing.primary.name);
    return `{"scheme":${scheme},"results":[${(results ?? []).join(",")}]}`;
  });
}
