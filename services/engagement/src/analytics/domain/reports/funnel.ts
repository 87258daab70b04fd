import { laterSteps } from '../facts/count.ts';
import { segments } from '../facts/fact.ts';
import { shareOf } from './ratios.ts';
import type { Report } from './report.ts';

/** How many people looked at a product, then wished for one, began a checkout and ordered. */
export const funnel: Report<'funnel'> = {
  name: 'funnel',
  takes: ['window'],
  segments,
  families: [],
  sets: (window) => ['viewers', ...laterSteps.map((step) => `reached:${step}:${window}` as const)],
  measures({ people }, window) {
    const viewed = people('viewers');
    const wishlisted = people(`reached:wishlisted:${window}`);
    const checkout = people(`reached:checkout:${window}`);
    const ordered = people(`reached:ordered:${window}`);
    return {
      viewed,
      wishlisted,
      checkout,
      ordered,
      wishlistedShare: shareOf(wishlisted, viewed),
      checkoutShare: shareOf(checkout, wishlisted),
      orderedShare: shareOf(ordered, checkout),
    };
  },
};
