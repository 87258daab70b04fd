import { mayCall } from '../api/client.ts';
import { t } from '../language/index.ts';
import type { IconName } from '../parts/icon.tsx';
import { isOpenTo, type MenuPath } from './access.ts';

export interface MenuEntry {
  readonly to: MenuPath;
  readonly title: string;
  readonly icon: IconName;
  readonly group: string;
  /** The second key after `g`. */
  readonly key: string;
}

/** Every page of the menu, in its order. */
function menuEntries(): readonly MenuEntry[] {
  const { pages, groups } = t;
  return [
    { to: '/', title: pages.home, icon: 'home', group: '', key: 'h' },
    { to: '/orders', title: pages.orders, icon: 'orders', group: groups.selling, key: 'o' },
    { to: '/trade', title: pages.trade, icon: 'trade', group: groups.selling, key: 't' },
    { to: '/invoices', title: pages.invoices, icon: 'invoices', group: groups.selling, key: 'i' },
    { to: '/people', title: pages.people, icon: 'people', group: groups.selling, key: 'p' },
    { to: '/catalog', title: pages.catalog, icon: 'catalog', group: groups.range, key: 'c' },
    { to: '/campaigns', title: pages.campaigns, icon: 'campaigns', group: groups.range, key: 'm' },
    { to: '/reports', title: pages.reports, icon: 'reports', group: groups.range, key: 'r' },
    { to: '/deliveries', title: pages.deliveries, icon: 'deliveries', group: groups.running, key: 'd' },
    { to: '/system', title: pages.system, icon: 'system', group: groups.running, key: 's' },
    { to: '/settings', title: pages.settings, icon: 'settings', group: groups.running, key: 'e' },
  ];
}

/** Whether the role may open the page at this path. */
export const mayOpen = (role: string, path: string): boolean => isOpenTo(path, (id) => mayCall(id, role));

/** The pages that somebody of this role may open. */
export const menuOf = (role: string): readonly MenuEntry[] => menuEntries().filter(({ to }) => mayOpen(role, to));
