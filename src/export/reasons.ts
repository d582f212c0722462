import { byLabel, LABELS, type Label } from "../core/intervention.ts";

/** A trace of the file that is being made, as far as the choice of its negatives needs it. */
export interface Candidate {
  readonly id: string;
  readonly family: string;
  readonly label: Label;
  /** Its position in the set's heads. */
  readonly position: number;
  /** The label of its `tempting`, if it has one. */
  readonly tempting: Label | null;
}

/** Where the reason for a wrong label comes from: a sibling's rationale, or the trace's own `tempting`. */
export type ReasonSource = { readonly sibling: number } | { readonly tempting: true };

/** The candidates of one family under each label, in the order given. */
export type Family = Readonly<Record<Label, readonly Candidate[]>>;

/** Groups candidates by family. */
export function groupFamilies(candidates: Iterable<Candidate>): Map<string, Family> {
  const families = new Map<string, Record<Label, Candidate[]>>();
  for (const candidate of candidates) {
    let family = families.get(candidate.family);
    if (!family) {
      family = byLabel(() => []);
      families.set(candidate.family, family);
    }
    family[candidate.label].push(candidate);
  }
  return families;
}

/**
 * Finds a reason that a model could truly have written for `label`: the rationale of a sibling
 * whose label it is, else the trace's own tempting rationale. No reason is ever made up, so null
 * means that this negative does not exist. Only the candidates given are looked at: a sibling on
 * the other side of the split gives nothing away.
 *
 * @param family the candidate's own family
 */
export function findReason(
  candidate: Candidate,
  label: Label,
  family: Family,
): ReasonSource | null {
  const siblings = family[label];
  if (siblings.length > 0 && label !== candidate.label) {
    // Several siblings of one label take turns, so that none becomes the standing bad answer.
    const turn = family[candidate.label].indexOf(candidate) % siblings.length;
    return { sibling: (siblings[turn] as Candidate).position };
  }
  return candidate.tempting === label ? { tempting: true } : null;
}

/** A trace, the wrong label that its gold answer is preferred to, and that label's reason. */
export interface Rejection {
  readonly candidate: Candidate;
  readonly label: Label;
  readonly reason: ReasonSource;
}

/** Every wrong label of a candidate for which there is a reason, in label order. */
export function possibleRejections(
  candidate: Candidate,
  families: ReadonlyMap<string, Family>,
): Rejection[] {
  const family = families.get(candidate.family) as Family;
  return LABELS.flatMap((label) => {
    const reason = label === candidate.label ? null : findReason(candidate, label, family);
    return reason ? [{ candidate, label, reason }] : [];
  });
}
