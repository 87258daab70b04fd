import { jobHolders, servedCollections, type CollectionDefinition } from '@storefront/mongo';
import { userDataCollections } from '@storefront/user-data';
import { announcements } from '../announcements/store/announcements.ts';
import { campaignCodes, codeLists } from '../campaigns/store/campaign-codes.ts';
import { campaignUsage } from '../campaigns/store/campaign-usage.ts';
import { campaignVersions } from '../campaigns/store/campaign-versions.ts';
import { campaigns } from '../campaigns/store/campaigns.ts';
import { categories, products } from '../catalog/store/catalog-copies.ts';
import { deliveries } from '../deliveries/store/deliveries.ts';
import { codeGuesses } from '../discounts/store/code-guesses.ts';
import { redemptions } from '../discounts/store/redemptions.ts';
import { shoppers } from '../discounts/store/shoppers.ts';
import { eventCounts } from '../facts/store/event-counts.ts';
import { facts } from '../facts/store/facts.ts';
import { people } from '../facts/store/people.ts';
import { suppressions } from '../mails/store/suppressions.ts';
import { recipients } from '../messages/store/recipients.ts';
import { notificationMarks, notifications } from '../notifications/store/collections.ts';
import { campaignDays, customerDays } from '../performance/store/campaign-days.ts';
import { preferences } from '../preferences/store/preferences.ts';
import { rollUpCollections } from '../roll-ups/store/collections.ts';

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
