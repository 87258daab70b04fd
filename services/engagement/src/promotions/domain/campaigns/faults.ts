import { engagementFields, type engagementHttp, type FieldError, type http } from '@storefront/contracts';
import { isOfAll } from './rules.ts';

/** The rules of a campaign in the form of a request. */
export type Given = {
  readonly [Field in 'discount' | 'conditions' | 'limits']?: engagementHttp.CampaignChange[Field] | undefined;
};

/**
 * Returns every fault in the given rules of a campaign. All amounts must be in `currency`. By default this is the
 * currency of the first amount; null allows any currency.
 */
export function faultsOf(given: Given, currency: string | null = currencyOf(given)): FieldError[] {
  return [
    ...faultsOfAmounts(given),
    ...(currency === null ? [] : faultsOfCurrency(given, currency)),
    ...faultsOfItems(given),
    ...faultsOfTimes(given),
    ...faultsOfBudget(given),
  ];
}

/** Returns the currency of the first given amount; null where no amount is given. */
export function currencyOf(given: Given): string | null {
  return moneyOf(given)[0]?.[1].currency ?? null;
}

/** Returns all amounts, the discount's first, each with the pointer to its field. */
function moneyOf({ discount, conditions, limits }: Given): (readonly [pointer: string, http.Money])[] {
  const places = [
    ['/discount/amount', discount?.type === 'fixed-amount' ? discount.amount : undefined],
    ['/discount/maximumAmount', discount && 'maximumAmount' in discount ? discount.maximumAmount : undefined],
    ['/conditions/minimumSubtotal', conditions?.minimumSubtotal],
    ['/limits/budget', limits?.budget],
  ] as const;
  return places.flatMap(([pointer, money]) => (money ? [[pointer, money] as const] : []));
}

function faultsOfAmounts(given: Given): FieldError[] {
  return moneyOf(given).flatMap(([pointer, { amount }]) =>
    amount === 0 && pointer !== '/conditions/minimumSubtotal' ? [engagementFields.amountOfNothing(pointer)] : [],
  );
}

function faultsOfCurrency(given: Given, currency: string): FieldError[] {
  return moneyOf(given).flatMap(([pointer, money]) =>
    money.currency === currency ? [] : [engagementFields.otherCurrency(pointer, currency)],
  );
}

function faultsOfItems({ discount }: Given): FieldError[] {
  switch (discount?.type) {
    case 'percentage':
    case 'fixed-amount':
      return faultsOfSelector('/discount/items', discount.items ?? {});
    case 'buy-x-get-y':
      return (['buy', 'get'] as const).flatMap((side) => {
        const { items } = discount[side];
        const pointer = `/discount/${side}/items`;
        return [
          ...(isOfAll(items) ? [engagementFields.itemsMissing(pointer)] : []),
          ...faultsOfSelector(pointer, items),
        ];
      });
    case 'free-shipping':
    case undefined:
      return [];
  }
}

function faultsOfSelector(pointer: string, items: engagementHttp.ItemSelectorBody): FieldError[] {
  const contradictions = [
    [items.products, 'excludedProducts'],
    [items.variants, 'excludedVariants'],
  ] as const;
  return contradictions.flatMap(([ids, field]) => {
    const named = new Set(ids);
    return (items[field] ?? []).flatMap((id, place) =>
      named.has(id) ? [engagementFields.excludedAndNamed(`${pointer}/${field}/${place}`)] : [],
    );
  });
}

function faultsOfTimes({ conditions }: Given): FieldError[] {
  const { startsAt, endsAt } = conditions ?? {};
  return startsAt && endsAt && endsAt <= startsAt ? [engagementFields.endNotAfterStart()] : [];
}

function faultsOfBudget({ discount, limits }: Given): FieldError[] {
  const budget = limits?.budget;
  if (!budget || budget.amount === 0 || discount?.type !== 'fixed-amount') return [];
  const { amount } = discount;
  return budget.currency === amount.currency && budget.amount < amount.amount
    ? [engagementFields.budgetBelowOneUse()]
    : [];
}
