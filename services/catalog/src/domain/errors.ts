import { invalidField, Problem } from '@storefront/service-kit/problem';

export function slugTaken(slug: string): Problem {
  return new Problem(409, 'slug_taken', `The slug ${slug} belongs to another one. Leave it out to have one made.`);
}

export function skuTaken(sku: string): Problem {
  return new Problem(409, 'sku_taken', `The SKU ${sku} belongs to another product.`);
}

export function categoryCycle(): Problem {
  return new Problem(422, 'category_cycle', 'A category can be neither in itself nor in one that is below it.');
}

export function categoryTooDeep(levels: number): Problem {
  return new Problem(422, 'category_too_deep', `Categories go ${levels} levels deep at most.`);
}

/** `products` are those of any status: a draft would lose its category as well. */
export function categoryNotEmpty(children: number, products: number): Problem {
  return new Problem(
    409,
    'category_not_empty',
    `It holds ${children} sub-categories and ${products} products, drafts and archived ones included. ` +
      'Say what becomes of them: strategy=reassign&to=cat_… or strategy=cascade.',
  );
}

export function invalidTarget(why: string): Problem {
  return new Problem(422, 'invalid_target', why);
}

/** `pointer` names the field of the request that holds the id. */
export function unknownCategory(pointer: string): Problem {
  return invalidField(pointer, 'unknown_category', 'There is no such category.');
}

export function currencyNotSupported(pointer: string, currency: string): Problem {
  return invalidField(pointer, 'currency_not_supported', `Prices of this shop are in ${currency}.`);
}

export function insufficientStock(stock: number, change: number): Problem {
  return new Problem(422, 'insufficient_stock', `There are ${stock}: ${-change} can't be taken.`);
}
