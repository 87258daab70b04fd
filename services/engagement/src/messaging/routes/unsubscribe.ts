import { notFound, type engagementOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import { unsubscribeMail } from '../commands/preferences.ts';
import { unsubscribedPage, unsubscribePage } from '../domain/unsubscribe-pages.ts';

type Needs = Parameters<typeof unsubscribeMail>[0] & { readonly shop: { readonly name: string } };

// The page has only text and a button, so it may load nothing, and its form may be sent only to the page's own origin.
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};

/**
 * The routes to unsubscribe from mails without a login. Only the POST unsubscribes, because programs that check mails
 * open all links in them.
 */
export function unsubscribeHandlers(
  needs: Needs,
): Pick<Handlers<typeof engagementOperations>, 'showUnsubscribePage' | 'unsubscribe'> {
  return {
    showUnsubscribePage({ params }, reply) {
      const meant = needs.unsubscribeTokens.read(params.token);
      if (meant === null) throw notFound();
      return reply.headers(pageHeaders).send(unsubscribePage(needs.shop.name, meant.category));
    },

    async unsubscribe({ params }, reply) {
      await unsubscribeMail(needs, params.token);
      return reply.headers(pageHeaders).send(unsubscribedPage(needs.shop.name));
    },
  };
}
