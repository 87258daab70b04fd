import { notFound, type engagementOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import { unsubscribeMail } from '../commands/preferences.ts';
import { unsubscribedPage, unsubscribePage } from '../domain/unsubscribe-pages.ts';

type Needs = Parameters<typeof unsubscribeMail>[0] & { readonly shop: { readonly name: string } };

// A page of two sentences and a button: it loads nothing, and its form goes to where it came from.
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};

/** Readers of mails end them without a login. Only the POST does so: programs that check mails follow their links. */
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
