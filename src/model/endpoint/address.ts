import { SteerError } from "../../core/errors.ts";

/** Where an endpoint is and which of its models to ask. */
export interface EndpointAddress {
  /** The SPEC without credentials: what may be shown and stored. */
  readonly spec: string;
  /** Such as `http://127.0.0.1:8080/v1`, without credentials and without a slash at the end. */
  readonly baseUrl: string;
  readonly model: string;
  /** `user:password` of the URL, decoded; null without one. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

const FORM = "an endpoint is written http(s)://host/v1#model";
const CALL_PATH = "/chat/completions";

/**
 * Reads a SPEC such as `https://host/v1#model`. All after the first `#` is the model's name.
 * Errors never show the SPEC as it was given, which may hold a password.
 *
 * @throws SteerError `usage` listing what is wrong with it
 */
export function parseAddress(spec: string): EndpointAddress {
  const hash = spec.indexOf("#");
  const location = hash < 0 ? spec : spec.slice(0, hash);
  const model = hash < 0 ? "" : spec.slice(hash + 1).trim();
  if (!URL.canParse(location)) throw new SteerError("usage", `the URL cannot be read; ${FORM}`);
  const url = new URL(location);
  const baseUrl = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;

  const problems: string[] = [];
  if (!["http:", "https:"].includes(url.protocol)) problems.push("it must be http or https");
  if (model === "") problems.push("the model's name is missing after #");
  if (url.search !== "")
    problems.push("leave out the query, from ? on; keys go in the environment");
  if (baseUrl.endsWith(CALL_PATH)) problems.push(`leave out ${CALL_PATH}, which is added`);
  const credentials = readCredentials(url);
  if (credentials === undefined) problems.push("its user or password has a broken % escape");
  if (problems.length > 0 || credentials === undefined) {
    throw new SteerError("usage", `endpoint ${baseUrl}: ${problems.join("; ")} (${FORM})`);
  }
  return { spec: `${baseUrl}#${model}`, baseUrl, model, credentials };
}

function readCredentials({ username, password }: URL): EndpointAddress["credentials"] | undefined {
  if (username === "" && password === "") return null;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
