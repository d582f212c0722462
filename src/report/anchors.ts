/**
 * The place of each trace in the page: its id where that begins with `t-`, else `t-` before it, and
 * no white space. Where two would meet, one gets another `t-`, so that every trace has its own.
 */
export function anchorsOf(ids: readonly string[]): Map<string, string> {
  const anchors = new Map<string, string>();
  const taken = new Set<string>();
  const isPlain = (id: string) => id.startsWith("t-") && !/\s/.test(id) && id.isWellFormed();
  for (const id of [...ids.filter(isPlain), ...ids.filter((each) => !isPlain(each))]) {
    let anchor = id.toWellFormed().replaceAll(/\s/g, "_");
    while (!anchor.startsWith("t-") || taken.has(anchor)) anchor = `t-${anchor}`;
    taken.add(anchor);
    anchors.set(id, anchor);
  }
  return anchors;
}
