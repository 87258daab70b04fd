/** The operations of which one is needed to open a page of the menu. */
const needs = {
  '/': ['getMe'],
  '/orders': ['getPackingSlip'],
  '/trade': ['listTradeAccounts'],
  '/invoices': ['listInvoices', 'listPayments'],
  '/people': ['listUsers'],
  '/catalog': ['exportProducts'],
  '/campaigns': ['listCampaigns'],
  '/reports': ['getAnalyticsReport'],
  '/deliveries': ['listDeliveries'],
  '/system': ['listAudit'],
  '/settings': ['listShippingOptions'],
} as const;

export type MenuPath = keyof typeof needs;

/** Pages below one of the menu that fewer roles may open: an operation that each needs besides. */
const further: Readonly<Record<string, string>> = {
  '/people/staff': 'listStaff',
  '/people/api-tokens': 'listApiTokens',
  '/catalog/import': 'importProducts',
  '/campaigns/new': 'createCampaign',
  '/invoices/callbacks': 'listCallbacks',
  '/system/dead-letters': 'listDeadLetters',
};

/** Whether the page at this path is open to somebody who may call these operations. */
export function isOpenTo(path: string, mayCall: (operation: string) => boolean): boolean {
  const isAt = (to: string) => path === to || path.startsWith(`${to}/`);
  const ofMenu = Object.entries(needs).filter(([to]) => isAt(to));
  const more = Object.entries(further).filter(([to]) => isAt(to));
  return ofMenu.every(([, any]) => any.some(mayCall)) && more.every(([, id]) => mayCall(id));
}
