import { mayCall } from '../api/client.ts';
import { t } from '../language/index.ts';
import type { IconName } from '../parts/icon.tsx';

export interface MenuEntry {
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  /** The operations of which a role needs one to open the page. */
  readonly needs: readonly string[];
  readonly group: string;
  /** The second key after `g`. */
  readonly key: string;
}

/** Every page of the menu, in its order. */
function menuEntries(): readonly MenuEntry[] {
  const { pages, groups } = t;
  return [
    { to: '/', title: pages.home, icon: 'home', needs: ['getMe'], group: '', key: 'h' },
    { to: '/orders', title: pages.orders, icon: 'orders', needs: ['getPackingSlip'], group: groups.selling, key: 'o' },
    { to: '/trade', title: pages.trade, icon: 'trade', needs: ['listTradeAccounts'], group: groups.selling, key: 't' },
    {
      to: '/invoices',
      title: pages.invoices,
      icon: 'invoices',
      needs: ['listInvoices', 'listPayments'],
      group: groups.selling,
      key: 'i',
    },
    { to: '/people', title: pages.people, icon: 'people', needs: ['listUsers'], group: groups.selling, key: 'p' },
    { to: '/catalog', title: pages.catalog, icon: 'catalog', needs: ['exportProducts'], group: groups.range, key: 'c' },
    {
      to: '/campaigns',
      title: pages.campaigns,
      icon: 'campaigns',
      needs: ['listCampaigns'],
      group: groups.range,
      key: 'm',
    },
    {
      to: '/reports',
      title: pages.reports,
      icon: 'reports',
      needs: ['getAnalyticsReport'],
      group: groups.range,
      key: 'r',
    },
    {
      to: '/deliveries',
      title: pages.deliveries,
      icon: 'deliveries',
      needs: ['listDeliveries'],
      group: groups.running,
      key: 'd',
    },
    { to: '/system', title: pages.system, icon: 'system', needs: ['listAudit'], group: groups.running, key: 's' },
    {
      to: '/settings',
      title: pages.settings,
      icon: 'settings',
      needs: ['listShippingOptions'],
      group: groups.running,
      key: 'e',
    },
  ];
}

/** The pages that somebody of this role may open. */
export function menuOf(role: string): readonly MenuEntry[] {
  return menuEntries().filter(({ needs }) => needs.some((id) => mayCall(id, role)));
}

/** Pages below one of the menu that fewer roles may open: an operation of each that a role needs. */
const narrower: Readonly<Record<string, string>> = {
  '/people/staff': 'listStaff',
  '/people/api-tokens': 'listApiTokens',
  '/catalog/import': 'importProducts',
  '/campaigns/new': 'createCampaign',
  '/invoices/callbacks': 'listCallbacks',
  '/system/dead-letters': 'listDeadLetters',
};

/** Whether the role may open the page at this path. */
export function mayOpen(role: string, path: string): boolean {
  const isAt = (to: string) => path === to || path.startsWith(`${to}/`);
  const entry = menuEntries().find(({ to }) => to !== '/' && isAt(to));
  const more = Object.entries(narrower).flatMap(([to, id]) => (isAt(to) ? [id] : []));
  return more.every((id) => mayCall(id, role)) && (entry?.needs.some((id) => mayCall(id, role)) ?? true);
}
