import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { nearest, shorten } from "../data/explain.ts";
import { refuseDominated, SCHEMES, type Scheme, schemeSchema } from "../task/scheme.ts";
import { validated } from "./validated.ts";

/** How a request names a scheme: by a name the server knows, or as the scheme itself. */
export const schemeChoiceSchema = z.union(
  [z.string(), schemeSchema],
  "must be the name of a scheme, or a scheme",
);

/** The schemes of a server. */
export interface KnownSchemes {
  /** Gives the reward where a request names no scheme. */
  readonly standard: Scheme;
  /** Those the server was started with, and the built-in ones. */
  readonly byName: ReadonlyMap<string, Scheme>;
  /** Whether requests may bring prices under which garbage beats a holding answer. */
  readonly allowDominated: boolean;
}

/** The schemes that pay the answers of one request. */
export interface Pricing {
  /** Gives `reward`, `outcome` and `metrics`. */
  readonly primary: Scheme;
  /** Give `rewards`. */
  readonly schemes: readonly Scheme[];
}

/** @param started the schemes the server was started with, the standard one first; none for the built-in ones */
export function knowSchemes(started: readonly Scheme[], allowDominated: boolean): KnownSchemes {
  const byName = new Map<string, Scheme>();
  for (const scheme of [...Object.values(SCHEMES), ...started]) byName.set(scheme.name, scheme);
  return { standard: started[0] ?? SCHEMES.asymmetric, byName, allowDominated };
}

/**
 * The schemes that a request names: one by `scheme`, more by `schemes`, all the server knows when
 * it names none.
 *
 * @throws SteerError `usage` for an unknown or repeated name, `invalid`, `dominated`
 */
export function choosePricing(
  {
    scheme,
    schemes,
  }: { readonly scheme?: unknown; readonly schemes?: readonly unknown[] | null | undefined },
  known: KnownSchemes,
): Pricing {
  const listed = (schemes ?? []).map((choice) => chooseScheme(choice, known));
  const first = scheme === undefined || scheme === null ? undefined : chooseScheme(scheme, known);
  const primary = first ?? listed[0] ?? known.standard;
  if (!first && listed.length === 0) return { primary, schemes: [...known.byName.values()] };
  const isListed = listed.some(({ name }) => name === primary.name);
  const all = first && !isListed ? [first, ...listed] : listed;
  const twice = all.find(({ name }, k) => all.findIndex((each) => each.name === name) < k);
  if (twice) throw new SteerError("usage", `two schemes are named ${twice.name}`);
  return { primary, schemes: all };
}

/** @throws SteerError `usage` for an unknown name, `invalid`, `dominated` */
export function chooseScheme(choice: unknown, known: KnownSchemes): Scheme {
  if (typeof choice !== "string") {
    const scheme = validated(schemeSchema, choice);
    if (!known.allowDominated) refuseDominated(scheme);
    return scheme;
  }
  const scheme = known.byName.get(choice);
  if (scheme) return scheme;
  const names = [...known.byName.keys()];
  const near = nearest(choice, names);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw new SteerError(
    "usage",
    `unknown scheme ${shorten(choice)}; use ${names.join(", ")} or a scheme object${hint}`,
  );
}
