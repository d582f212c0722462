import { type EndpointOptions, openEndpoint } from "../../../src/model/endpoint/endpoint.ts";
import type { GenerateRequest, Sampling } from "../../../src/model/model.ts";
import { generateRequests, letterRequests } from "../contract.ts";
import { fakeClock } from "./server.ts";

/** Opens an endpoint for written answers, with time that passes only by sleeping. */
export function openForText(spec: string, options: Partial<EndpointOptions> = {}) {
  return openEndpoint(spec, { readout: "generative", clock: fakeClock(), ...options });
}

export const SAMPLING: Sampling = { temperature: 0.7, topP: 0.9, maxTokens: 50, seed: "11" };

/** A request for written answers. */
export function textRequest(samples: readonly number[] = [0]): GenerateRequest {
  return first(generateRequests(samples));
}

export function letterRequest() {
  return first(letterRequests([0]));
}

function first<T>(list: readonly T[]): T {
  const [item] = list;
  if (item === undefined) throw new Error("the list is empty");
  return item;
}

/** The one result of asking for one written answer. */
export async function askOnce(spec: string, options: Partial<EndpointOptions> = {}) {
  const model = await openForText(spec, options);
  const [answers] = await model.generate([textRequest()], SAMPLING);
  return answers?.[0];
}
