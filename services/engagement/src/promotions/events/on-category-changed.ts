import { categoryReactions } from '@storefront/catalog-copies';
import type { catalogEvents } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { keepCopy } from '../commands/keep-copy.ts';
import type { CategoryCopy, CategoryFacts } from '../domain/copies.ts';

type Copies = Repository<CategoryCopy>;

/** Keeps the copy of a category. Of one that moves, each category below it has an event of its own. */
export function onCategoryChanged(copies: Copies) {
  const { created, changed, deleted } = reactionsOf(copies);
  return [created, changed, deleted];
}

/** Puts the copy right, or makes it anew. */
export function onCategorySnapshot(copies: Copies) {
  return [reactionsOf(copies).told];
}

function reactionsOf(copies: Copies) {
  return categoryReactions({ factsOf, keep: (news) => keepCopy(copies, news) });
}

function factsOf({ name, path }: catalogEvents.CategoryFacts): CategoryFacts {
  return { name, path };
}
