import {
  accountOperations,
  billingOperations,
  engagementOperations,
  identityOperations,
  ordersOperations,
  type OperationSpec,
} from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';
import { escaped, sendPage } from './pages.ts';

type Call = Pick<OperationSpec, 'method' | 'path'>;

/** The pages of a shop to which mails lead, by path: what they are for, and the operation that they would call. */
const pages: Readonly<Record<string, readonly [title: string, call: Call]>> = {
  '/login': ['Log in', identityOperations.logIn],
  '/password/forgot': ['Ask for a new password', identityOperations.forgotPassword],
  '/password/reset': ['Set a new password', identityOperations.resetPassword],
  '/changes/revert': ['Undo changes of the account', identityOperations.revertChanges],
  '/account/data': ['Download the copy of your data', identityOperations.getMyExport],
  '/wishlist': ['Your wishlist', accountOperations.getWishlist],
  '/cart': ['Your cart', ordersOperations.getMyCart],
  '/orders/:id': ['Your order', ordersOperations.getOrder],
  '/invoices': ['Your invoices', billingOperations.listInvoices],
  '/invoices/:id': ['Your invoice', billingOperations.getInvoice],
  '/notifications/preferences': ['Choose which mails you get', engagementOperations.getNotificationPreferences],
};

// A secret of a mail is behind the # of its link: the browser keeps it from every server, and so from every log.
const script =
  "const secret=[...new URLSearchParams(location.hash.slice(1))][0];if(secret){document.querySelector('#secret code')" +
  ".textContent=secret[1];document.querySelector('#secret b').textContent=secret[0];document.querySelector('#secret').hidden=false}";
const secret = '<p id="secret" hidden>It would send this as <b></b>, the secret of your link: <code></code></p>';

/**
 * Serves at `/shop` a stand-in for the pages of a shop, so that links in mails lead somewhere in development. A page says
 * which operation a shop would call there, and shows the secret of the link.
 */
export function serveStandInShop(app: FastifyInstance): void {
  app.get('/shop', (_request, reply) =>
    sendPage(reply, {
      title: 'The shop',
      body: '<p>Here would be the pages of your shop. <code>SHOP_URL</code> says where they are.</p><p><a href="/">The API</a></p>',
    }),
  );
  for (const [path, [title, { method, path: called }]] of Object.entries(pages))
    app.get(`/shop${path}`, (_request, reply) =>
      sendPage(reply, {
        title,
        script,
        body:
          `<p>In your shop, this page calls <code>${method} ${escaped(called)}</code>. ` +
          '<code>SHOP_URL</code> says where its pages are.</p>' +
          `${secret}<p><a href="/docs">Read and try every request</a></p>`,
      }),
    );
}
