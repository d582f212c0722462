import { TEMPERATURE_RANGE } from "../stats/temperature.ts";
import type { RunTemperature } from "./run-temperature.ts";
import { decimal } from "./table.ts";

/** A temperature as tables show it, such as `T = 1.734`. */
export function temperatureText({ temperature }: RunTemperature): string {
  return `T = ${decimal(temperature)}`;
}

/** Where a temperature comes from, and what keeps it from being trusted; a line each. */
export function renderTemperature(fit: RunTemperature): string[] {
  const { from, counted, impossible, lossBefore, lossAfter, stop } = fit;
  const { least, most } = TEMPERATURE_RANGE;
  const left = [
    ...(from.missing > 0 ? [`${from.missing} have no probabilities`] : []),
    ...(impossible > 0 ? [`${impossible} gave their gold label probability 0`] : []),
  ];
  const leftOut = left.length > 0 ? `, of ${from.traces}: ${left.join(" and ")}` : "";
  return [
    `${temperatureText(fit)} is fitted on ${counted} train traces of ${from.run}${leftOut}; negative log-likelihood there: ${decimal(lossBefore)} raw, ${decimal(lossAfter)} fitted`,
    "A model trained on these traces is surer of them than of others; its temperature is then too low.",
    ...{
      minimum: [],
      lower_bound: [
        `warning: the fit ends at its lower bound, ${least}: on the train side more certainty always helps, which is no guide to other traces`,
      ],
      upper_bound: [
        `warning: the fit ends at its upper bound, ${most}: on the train side the probabilities tell nothing of the labels, so they are made even`,
      ],
      flat: [
        "warning: every temperature fits the train side alike, its probabilities being even or 0 and 1: T = 1 is used, which changes nothing",
      ],
    }[stop],
  ];
}
