import Fastify, { type FastifyInstance } from 'fastify';
import PostalMime, { type Attachment } from 'postal-mime';
import type { MailFiles } from './mail-files.ts';
import type { MailStore } from './mail-store.ts';
import { mailboxPage } from './page.ts';

interface ListQuery {
  query?: string;
  start?: number;
  limit?: number;
}

const listQuery = {
  type: 'object',
  properties: {
    query: { type: 'string', default: '' },
    start: { type: 'integer', minimum: 0, default: 0 },
    limit: { type: 'integer', minimum: 0, default: 50 },
  },
};
const deletion = {
  type: ['object', 'null'],
  properties: { IDs: { type: 'array', items: { type: 'string' } } },
};

/** Serves the mailbox's page and the part of Mailpit's HTTP API that programs use. */
export function buildMailboxWeb(mails: MailStore, files: Pick<MailFiles, 'read'>): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true });

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
  });
  // Like Mailpit, accepts a DELETE with or without a body, of any content type.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? null : JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('The body is not JSON'), { statusCode: 400 }));
    }
  });

  const listPage = ({ query = '', start = 0, limit = 50 }: ListQuery) => {
    const { page, matching } = mails.list(query, start, limit);
    const { total, unread } = mails.counts();
    return { total, unread, count: page.length, messages_count: matching, start, tags: [], messages: page };
  };
  app.get<{ Querystring: ListQuery }>(
    '/api/v1/messages',
    { schema: { querystring: listQuery } },
    async ({ query: { start, limit } }) => listPage({ start, limit }),
  );
  app.get<{ Querystring: ListQuery }>(
    '/api/v1/search',
    { schema: { querystring: { ...listQuery, required: ['query'] } } },
    async ({ query }) => listPage(query),
  );
  app.get<{ Params: { id: string } }>('/api/v1/message/:id', async ({ params }, reply) => {
    const newest = () => mails.list('', 0, 1).page[0]?.ID ?? '';
    const mail = mails.open(params.id === 'latest' ? newest() : params.id);
    return mail ?? reply.code(404).send(noSuchMail);
  });
  app.get<{ Params: { id: string; part: string } }>('/api/v1/message/:id/part/:part', async ({ params }, reply) => {
    const received = mails.open(params.id) && (await files.read(params.id));
    const { attachments = [] } = received ? await PostalMime.parse(received.raw) : {};
    const attachment = attachments[Number(params.part) - 1];
    if (!attachment) return reply.code(404).send(noSuchMail);
    const name = encodeURIComponent(attachment.filename ?? 'attachment');
    return reply
      .type(attachment.mimeType)
      .header(
        'content-disposition',
        `${shownInline.test(attachment.mimeType) ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      )
      .send(contentOf(attachment));
  });
  app.delete<{ Body: { IDs?: string[] } | null }>(
    '/api/v1/messages',
    { schema: { body: deletion } },
    async ({ body }, reply) => {
      mails.remove(body?.IDs?.length ? body.IDs : undefined);
      return reply.type('text/plain').send('ok');
    },
  );
  app.get('/', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; " +
          "img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'",
      )
      .send(mailboxPage),
  );
  return app;
}

const noSuchMail = { Error: 'There is no such mail: it was deleted, or newer ones took its place.' };
// What a browser shows without running a script of it on this page's origin.
const shownInline = /^(application\/pdf|image\/(png|jpeg|gif|webp)|text\/(plain|csv))$/;

function contentOf({ content }: Attachment): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
}
