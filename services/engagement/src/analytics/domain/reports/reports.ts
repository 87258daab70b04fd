import type { engagementHttp } from '@storefront/contracts';
import { campaigns } from './campaigns.ts';
import { funnel } from './funnel.ts';
import { notifications } from './notifications.ts';
import { products } from './products.ts';
import { receivables } from './receivables.ts';
import { registrations } from './registrations.ts';
import type { Report } from './report.ts';
import { robots } from './robots.ts';
import { sales } from './sales.ts';
import { searches } from './searches.ts';
import { summary } from './summary.ts';
import { wishlists } from './wishlists.ts';

/** All reports, by name. For a new report, add a file, a line here, and the report's measures in the contract. */
export const reports: { readonly [Name in engagementHttp.ReportName]: Report<Name> } = {
  summary,
  registrations,
  sales,
  products,
  campaigns,
  notifications,
  wishlists,
  funnel,
  searches,
  receivables,
  robots,
};
