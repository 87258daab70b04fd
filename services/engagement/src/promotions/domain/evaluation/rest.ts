import type { Group } from './groups.ts';

/** What discounts have left of a cart so far. */
export interface Rest {
  readonly groups: readonly GroupRest[];
  shipping: number;
}

export interface GroupRest {
  readonly group: Group;
  amount: number;
}

/** A cart from which nothing has been taken. */
export function wholeOf(groups: readonly Group[], shipping: number): Rest {
  return { groups: groups.map((group) => ({ group, amount: group.subtotal })), shipping };
}

/** One that can be taken from without a change of the other. */
export function copyOf({ groups, shipping }: Rest): Rest {
  return { groups: groups.map(({ group, amount }) => ({ group, amount })), shipping };
}
