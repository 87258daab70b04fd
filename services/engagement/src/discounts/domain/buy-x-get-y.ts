import { product } from '@storefront/money';
import type { Exact } from '@storefront/money';
import type { Discount } from '../../campaigns/domain/rules.ts';
import type { CompiledCampaign } from './compile.ts';
import type { GroupRest } from './rest.ts';

type BuyXGetY = Extract<Discount, { readonly type: 'buy-x-get-y' }>;

/** Units of a group that are given. */
interface Given {
  readonly rest: GroupRest;
  readonly units: number;
}

/**
 * The units that are given: the cheapest that match, by unit price. A unit counts as bought or as given, so of those that match both
 * selectors enough stay to be bought. Only whole applications count.
 */
export function givenUnits(discount: BuyXGetY, campaign: CompiledCampaign, groups: readonly GroupRest[]): Given[] {
  const { buy, get } = discount;
  const giveable = groups.filter(({ group }) => campaign.takesFrom(group));
  const bought = new Set(groups.filter(({ group }) => campaign.buys(group)));
  const either = new Set([...giveable, ...bought]);
  const applications = Math.min(
    Math.floor(quantityOf(bought) / buy.quantity),
    Math.floor(quantityOf(giveable) / get.quantity),
    Math.floor(quantityOf(either) / (buy.quantity + get.quantity)),
    discount.maximumApplications ?? Infinity,
  );

  let wanted = applications * get.quantity;
  let spare = quantityOf(bought) - applications * buy.quantity;
  const given: Given[] = [];
  for (const rest of giveable.toSorted((a, b) => a.group.unitPrice - b.group.unitPrice)) {
    const isBought = bought.has(rest);
    const units = Math.min(wanted, rest.group.quantity, isBought ? spare : Infinity);
    if (units === 0) continue;
    given.push({ rest, units });
    wanted -= units;
    if (isBought) spare -= units;
  }
  return given;
}

/**
 * What is left of given units: of each group `weight / scale` minor units, an exact fraction, since a group's rest belongs to all of
 * its units alike.
 */
export function valueOf(given: readonly Given[]): { readonly weights: readonly Exact[]; readonly scale: Exact } {
  const divided = given.filter(({ rest, units }) => units < rest.group.quantity);
  return {
    weights: given.map((one) => {
      const others = divided.filter((other) => other !== one);
      const isDivided = one.units < one.rest.group.quantity;
      return product(product(one.rest.amount, isDivided ? one.units : 1), quantities(others));
    }),
    scale: quantities(divided),
  };
}

function quantities(given: readonly Given[]): Exact {
  return given.reduce<Exact>((scale, { rest }) => product(scale, rest.group.quantity), 1);
}

function quantityOf(groups: Iterable<GroupRest>): number {
  let quantity = 0;
  for (const { group } of groups) quantity += group.quantity;
  return quantity;
}
