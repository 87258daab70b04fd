import { jobHolders, servedCollections, type CollectionDefinition } from '@storefront/mongo';
import { userDataCollections } from '@storefront/user-data';
import { announcements } from '../messaging/store/announcements.ts';
import { campaignCodes, codeLists } from '../promotions/store/campaign-codes.ts';
import { campaignUsage } from '../promotions/store/campaign-usage.ts';
import { campaignVersions } from '../promotions/store/campaign-versions.ts';
import { campaigns } from '../promotions/store/campaigns.ts';
import { categories, products } from '../promotions/store/catalog-copies.ts';
import { deliveries } from '../messaging/store/deliveries.ts';
import { codeGuesses } from '../promotions/store/code-guesses.ts';
import { redemptions } from '../promotions/store/redemptions.ts';
import { shoppers } from '../promotions/store/shoppers.ts';
import { eventCounts } from '../analytics/store/event-counts.ts';
import { facts } from '../analytics/store/facts.ts';
import { people } from '../analytics/store/people.ts';
import { suppressions } from '../messaging/store/suppressions.ts';
import { recipients } from '../messaging/store/recipients.ts';
import { notificationMarks, notifications } from '../messaging/store/collections.ts';
import { campaignDays, customerDays } from '../promotions/store/campaign-days.ts';
import { preferences } from '../messaging/store/preferences.ts';
import { rollUpCollections } from '../analytics/store/roll-ups/collections.ts';

/** All collections of the service, for tests too. */
export const collections: readonly CollectionDefinition[] = [
  announcements,
  campaignCodes,
  campaignDays,
  campaigns,
  campaignUsage,
  campaignVersions,
  categories,
  codeGuesses,
  codeLists,
  customerDays,
  deliveries,
  eventCounts,
  facts,
  jobHolders,
  notificationMarks,
  notifications,
  people,
  preferences,
  products,
  recipients,
  redemptions,
  ...rollUpCollections,
  shoppers,
  suppressions,
  ...servedCollections,
  ...userDataCollections('engagement'),
];
