import { product, type Exact } from '@storefront/money';
import type { Discount } from '../campaigns/rules.ts';
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
  const giveable: { readonly rest: GroupRest; readonly isBought: boolean }[] = [];
  const units = { bought: 0, giveable: 0, either: 0 };
  for (const rest of groups) {
    const { group } = rest;
    const isBought = campaign.buys(group);
    const isGiveable = campaign.takesFrom(group);
    if (isGiveable) giveable.push({ rest, isBought });
    if (isGiveable) units.giveable += group.quantity;
    if (isBought) units.bought += group.quantity;
    if (isBought || isGiveable) units.either += group.quantity;
  }
  // As many as there are enough units for, of each kind and of both together.
  const applications = Math.min(
    Math.floor(units.bought / buy.quantity),
    Math.floor(units.giveable / get.quantity),
    Math.floor(units.either / (buy.quantity + get.quantity)),
    discount.maximumApplications ?? Infinity,
  );

  let wanted = applications * get.quantity;
  let spare = units.bought - applications * buy.quantity;
  const given: Given[] = [];
  if (wanted === 0) return given;
  giveable.sort((a, b) => a.rest.group.unitPrice - b.rest.group.unitPrice);
  for (const { rest, isBought } of giveable) {
    const taken = Math.min(wanted, rest.group.quantity, isBought ? spare : Infinity);
    if (taken === 0) continue;
    given.push({ rest, units: taken });
    wanted -= taken;
    if (isBought) spare -= taken;
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
