import { afterNews, type Copy, type News } from '@storefront/catalog-copies';
import { changed, unchanged } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';

/** Brings the copy of a product or category up to date. An event that comes again, or too late, writes nothing. */
export async function keepCopy<Facts>(copies: Repository<Copy<Facts>>, news: News<Facts>): Promise<void> {
  await copies.change(news.id, (current) => {
    const next = afterNews(current, news);
    return next ? changed(next, [], null) : unchanged(null);
  });
}
