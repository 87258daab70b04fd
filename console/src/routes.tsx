import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Frame } from './shell/frame.tsx';

const root = createRootRoute({
  component: Frame,
  notFoundComponent: lazyRouteComponent(() => import('./pages/not-found.tsx'), 'NotFound'),
});

// Each page is a file of its own, which is loaded when it is opened.
const orders = () => import('./pages/orders/index.ts');
const trade = () => import('./pages/trade/index.ts');
const payments = () => import('./pages/money/index.ts');
const people = () => import('./pages/people/index.ts');
const catalog = () => import('./pages/catalog/index.ts');
const campaigns = () => import('./pages/campaigns/index.ts');
const deliveries = () => import('./pages/deliveries.tsx');
const reports = () => import('./pages/reports.tsx');
const system = () => import('./pages/system/index.ts');

const pages = [
  page(
    '/',
    lazyRouteComponent(() => import('./pages/home.tsx'), 'Home'),
  ),
  page('/orders', lazyRouteComponent(orders, 'Orders')),
  page('/orders/$id', lazyRouteComponent(orders, 'Order')),
  page('/trade', lazyRouteComponent(trade, 'TradeAccounts')),
  page('/trade/$id', lazyRouteComponent(trade, 'TradeAccount')),
  page('/trade/$id/invoices/$invoiceId', lazyRouteComponent(trade, 'Invoice')),
  page('/invoices', lazyRouteComponent(payments, 'Invoices')),
  page('/invoices/payments', lazyRouteComponent(payments, 'Payments')),
  page('/invoices/payments/$id', lazyRouteComponent(payments, 'Payment')),
  page('/invoices/callbacks', lazyRouteComponent(payments, 'Callbacks')),
  page('/invoices/callbacks/$id', lazyRouteComponent(payments, 'Callback')),
  page('/people', lazyRouteComponent(people, 'People')),
  page('/people/staff', lazyRouteComponent(people, 'Staff')),
  page('/people/api-tokens', lazyRouteComponent(people, 'ApiTokens')),
  page('/people/$id', lazyRouteComponent(people, 'Person')),
  page('/catalog', lazyRouteComponent(catalog, 'Catalog')),
  page('/catalog/categories', lazyRouteComponent(catalog, 'Categories')),
  page('/catalog/import', lazyRouteComponent(catalog, 'Import')),
  page('/catalog/$id', lazyRouteComponent(catalog, 'Product')),
  page('/campaigns', lazyRouteComponent(campaigns, 'Campaigns')),
  page('/campaigns/new', lazyRouteComponent(campaigns, 'NewCampaign')),
  page('/campaigns/$id', lazyRouteComponent(campaigns, 'Campaign')),
  page('/deliveries', lazyRouteComponent(deliveries, 'Deliveries')),
  page('/deliveries/$id', lazyRouteComponent(deliveries, 'Delivery')),
  page('/reports', lazyRouteComponent(reports, 'Reports')),
  page('/reports/$report', lazyRouteComponent(reports, 'Reports')),
  page('/system', lazyRouteComponent(system, 'System')),
  page('/system/dead-letters', lazyRouteComponent(system, 'DeadLetters')),
  page('/system/audit', lazyRouteComponent(system, 'Audit')),
  page(
    '/settings',
    lazyRouteComponent(() => import('./pages/settings.tsx'), 'Settings'),
  ),
  page(
    '/account',
    lazyRouteComponent(() => import('./pages/account.tsx'), 'Account'),
  ),
];

function page(path: string, component: ReturnType<typeof lazyRouteComponent>) {
  return createRoute({ getParentRoute: () => root, path, component });
}

/** The router. What is after the `?` of an address is plain text, so that `q=007` stays as it was typed. */
export function createConsoleRouter() {
  return createRouter({
    routeTree: root.addChildren(pages),
    basepath: '/console',
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString();
      return text && `?${text}`;
    },
    scrollRestoration: true,
  });
}
