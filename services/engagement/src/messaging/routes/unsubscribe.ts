import { notFound, type engagementOperations, type Reading } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import { createHash } from 'node:crypto';
import { unsubscribeMail } from '../commands/preferences.ts';
import type { Writing } from '../domain/templates/compose.ts';
import { styleOf, unsubscribedPage, unsubscribePage } from '../domain/unsubscribe-pages.ts';
import type { Recipients } from '../store/recipients.ts';

type Needs = Parameters<typeof unsubscribeMail>[0] & {
  readonly recipients: Pick<Recipients, 'find'>;
  readonly writingFor: (reading: Reading) => Writing;
};

// The page has only text, a style and a button, so it may load nothing, and its form may be sent only to the page's own
// origin.
function pageHeaders(writing: Writing) {
  const style = createHash('sha256').update(styleOf(writing)).digest('base64');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${style}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  };
}

/**
 * The routes to unsubscribe from mails without a login. Only the POST unsubscribes, because programs that check mails
 * open all links in them.
 */
export function unsubscribeHandlers(
  needs: Needs,
): Pick<Handlers<typeof engagementOperations>, 'showUnsubscribePage' | 'unsubscribe'> {
  // The page is in the language of the mail that led to it.
  const writingTo = async (userId: string) => needs.writingFor((await needs.recipients.find(userId)) ?? {});
  return {
    async showUnsubscribePage({ params }, reply) {
      const meant = needs.unsubscribeTokens.read(params.token);
      if (meant === null) throw notFound();
      const writing = await writingTo(meant.userId);
      return reply.headers(pageHeaders(writing)).send(unsubscribePage(writing, meant.category));
    },

    async unsubscribe({ params }, reply) {
      const writing = await writingTo(await unsubscribeMail(needs, params.token));
      return reply.headers(pageHeaders(writing)).send(unsubscribedPage(writing));
    },
  };
}
