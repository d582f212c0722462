/** A count and its noun, such as `1 run` or `2 runs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Such as `1 family` or `6 families`. */
export function countedFamilies(count: number): string {
  return counted(count, "family", "families");
}
