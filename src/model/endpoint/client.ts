import type OpenAI from "openai";
import { SteerError } from "../../core/errors.ts";
import type { EndpointAddress } from "./address.ts";
import { limitedFetch } from "./reply-limit.ts";

/**
 * The `Authorization` header and what must never be shown of it. Credentials in the URL go before
 * the key.
 *
 * @throws SteerError `usage` for a key that no header can carry, without showing it
 */
export function authorize(
  { credentials }: EndpointAddress,
  apiKey: string | undefined,
): { readonly header: string | null; readonly secrets: readonly string[] } {
  // A key read from a file often brings its line end along.
  const key = apiKey?.trim() ?? "";
  if (!/^[\x21-\x7e]*$/.test(key)) {
    throw new SteerError("usage", "the API key holds a space or a character that is not ASCII");
  }
  if (credentials) {
    const { user, password } = credentials;
    const pair = Buffer.from(`${user}:${password}`).toString("base64");
    // Some services take the key as the user, with no password.
    return { header: `Basic ${pair}`, secrets: [key, password || user, pair] };
  }
  return key === "" ? { header: null, secrets: [] } : { header: `Bearer ${key}`, secrets: [key] };
}

/**
 * The client of one endpoint. Of the environment it takes only OPENAI_CUSTOM_HEADERS, which the
 * library adds to every request by itself and which cannot replace the authorisation given here.
 */
export async function makeClient(
  { baseUrl }: EndpointAddress,
  authorization: string | null,
): Promise<OpenAI> {
  const { default: OpenAI } = await import("openai");
  class EndpointClient extends OpenAI {
    /** The client's own errors keep only `error.message`; servers also say `message` or `detail`. */
    protected override makeStatusError(
      status: number,
      body: object,
      text: string | undefined,
      headers: Headers,
    ) {
      return super.makeStatusError(status, {}, text ?? explanationIn(body), headers);
    }
  }
  return new EndpointClient({
    baseURL: baseUrl,
    // The client insists on a key; the header below is what is sent.
    apiKey: "none",
    defaultHeaders: { Authorization: authorization },
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch: limitedFetch,
    logLevel: "off",
  });
}

/** The sentence in an error's JSON, wherever servers put it; the whole of it without one. */
export function explanationIn(body: unknown): string {
  const { error, message, detail } = fieldsOf(body);
  const places = [fieldsOf(error)["message"], error, message, detail];
  const sentence = places.find((place) => typeof place === "string" && place !== "");
  return typeof sentence === "string" ? sentence : JSON.stringify(body);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
