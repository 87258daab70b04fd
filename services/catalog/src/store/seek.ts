/** The order of a list: fields and directions, the last of them unique. */
export type Order = readonly (readonly [field: string, direction: 1 | -1])[];

/**
 * The filter for what comes after a position in that order. Its first condition alone already bounds the index scan; the
 * alternatives leave out what stands at the same first value but was shown.
 */
export function after(order: Order, position: readonly unknown[] | undefined): Record<string, unknown> {
  if (position === undefined) return {};
  const beyond = (direction: 1 | -1) => (direction === 1 ? '$gt' : '$lt');
  const alternatives = order.map(([field, direction], index) => ({
    ...Object.fromEntries(order.slice(0, index).map(([earlier], at) => [earlier, position[at]])),
    [field]: { [beyond(direction)]: position[index] },
  }));
  const [first] = order;
  if (first === undefined) return {};
  return { [first[0]]: { [`${beyond(first[1])}e`]: position[0] }, $or: alternatives };
}
