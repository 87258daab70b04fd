import { engagementFields, type engagementHttp, type FieldError, type http } from '@storefront/contracts';

/** Rules as a request gives them. */
export type Given = {
  readonly [Field in 'discount' | 'conditions' | 'limits']?: engagementHttp.CampaignChange[Field] | undefined;
};

/**
 * What in the rules of a campaign can't be true, as far as they were given: every wrong field. All money has to be in `currency`:
 * that of the first amount where none is named, and any where it is null.
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

/** The currency of the first money that was given; null where there is none. */
export function currencyOf(given: Given): string | null {
  return moneyOf(given)[0]?.[1].currency ?? null;
}

/** All money, the discount's first, each with where it stands. */
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
        const isOfAll = items.products === undefined && items.categories === undefined;
        return [...(isOfAll ? [engagementFields.itemsMissing(pointer)] : []), ...faultsOfSelector(pointer, items)];
      });
    case 'free-shipping':
    case undefined:
      return [];
  }
}

function faultsOfSelector(
  pointer: string,
  { products, excludedProducts = [] }: { products?: readonly string[]; excludedProducts?: readonly string[] },
): FieldError[] {
  const named = new Set(products);
  return excludedProducts.flatMap((id, place) =>
    named.has(id) ? [engagementFields.excludedAndNamed(`${pointer}/excludedProducts/${place}`)] : [],
  );
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
