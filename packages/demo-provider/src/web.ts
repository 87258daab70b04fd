import { fromDecimal, type Money } from '@storefront/money';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { HowToSend } from './delivery.ts';
import { allPage, paymentPage, refusedPage, renewScript, styleSheet } from './page.ts';
import { ActionError, type Action, type Refund } from './payment.ts';
import type { Provider } from './provider.ts';
import { isSame, isSigned, isSignedPage } from './signature.ts';

interface WebOptions {
  readonly provider: Provider;
  readonly secret: string;
  readonly shopName: string;
}

type LinkQuery = Record<'amount' | 'currency' | 'for' | 'return', string>;
type Form = Partial<Record<'action' | 'amount' | 'reference' | 'late' | 'twice' | 'outOfOrder', string>>;
type ApiAction = 'pay' | 'fail' | 'refund' | 'dispute';
interface ApiBody extends HowToSend {
  readonly amount?: number;
  readonly currency?: string;
  readonly invoiceNumber?: string;
  readonly reference?: string;
}

const text = { type: 'string', maxLength: 2000, default: '' };
const linkQuery = { type: 'object', properties: { amount: text, currency: text, for: text, return: text } };
const params = { type: 'object', properties: { paymentId: { type: 'string', minLength: 1, maxLength: 100 } } };
const currency = { type: 'string', pattern: '^[A-Z]{3}$' };
const howToSend = {
  late: { type: 'number', minimum: 0, maximum: 3600 },
  twice: { type: 'boolean' },
  outOfOrder: { type: 'boolean' },
};
const apiBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    amount: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    currency,
    invoiceNumber: { type: 'string', maxLength: 100 },
    reference: { type: 'string', maxLength: 100 },
    ...howToSend,
  },
};
const shopId = { type: 'string', minLength: 1, maxLength: 100 };
const money = {
  type: 'object',
  required: ['amount', 'currency'],
  properties: { amount: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, currency },
};
const bodyOf = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});
const apiParams = {
  type: 'object',
  properties: { ...params.properties, action: { enum: ['pay', 'fail', 'refund', 'dispute'] } },
};

const shownDeliveries = 100;
/** A form may lead to the shop too: the payer returns there after the payment. */
const contentSecurityPolicy = (shop = '') =>
  `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'${shop && ` ${shop}`}; ` +
  "base-uri 'none'; frame-ancestors 'none'";

/**
 * Serves the pages on which people pay, the same actions for programs under `/api/`, and under `/shop/` what the shop
 * itself requests.
 */
export function buildWeb({ provider, secret, shopName }: WebOptions): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: 1024 * 1024 });
  app.addHook('onSend', async (_request, reply) => {
    reply
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('content-security-policy', reply.getHeader('content-security-policy') ?? contentSecurityPolicy());
  });
  app.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
    const status = error instanceof ActionError ? 422 : (error.statusCode ?? 500);
    return reply.code(status).send({ error: error.message });
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );

  app.get('/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(styleSheet));
  app.get('/renew.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(renewScript));

  app.get('/', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send(allPage(shopName, provider.deliveries().slice(-shownDeliveries).toReversed())),
  );

  const show = async (request: PageRequest, reply: FastifyReply, refusal: string | null = null) => {
    const { paymentId } = request.params;
    const returnUrl = request.query.return || null;
    return reply
      .code(refusal === null ? 200 : 422)
      .header('content-security-policy', contentSecurityPolicy(returnUrl === null ? '' : new URL(returnUrl).origin))
      .type('text/html; charset=utf-8')
      .send(
        paymentPage({
          shopName,
          amount: amountOf(request.query),
          purpose: request.query.for.split(','),
          returnUrl,
          address: request.url,
          payment: provider.payment(paymentId),
          deliveries: provider.deliveries(paymentId),
          refusal,
        }),
      );
  };
  const page = { schema: { querystring: linkQuery, params }, preHandler: checkLink };
  app.get<PageRoute>('/pay/:paymentId', page, async (request, reply) => show(request, reply));
  app.post<PageRoute>('/pay/:paymentId', page, async (request, reply) => {
    const form = request.body ?? {};
    try {
      await provider.act(request.params.paymentId, actionOf(form, amountOf(request.query)), {
        late: Math.min(3600, Math.max(0, Number(form.late) || 0)),
        twice: form.twice !== undefined,
        outOfOrder: form.outOfOrder !== undefined,
      });
    } catch (error) {
      if (error instanceof ActionError) return show(request, reply, error.message);
      throw error;
    }
    const isPaid = form.action === 'pay' || form.action === 'pay-twice' || form.action === 'part';
    const { return: returnUrl } = request.query;
    return reply.redirect(isPaid && returnUrl !== '' ? returnUrl : `${request.url}#callbacks`, 303);
  });

  /** Refuses an address that the shop did not sign, before anything is shown or done. */
  async function checkLink(request: PageRequest, reply: FastifyReply) {
    if (isSignedPage(secret, request.url)) return undefined;
    return reply
      .code(403)
      .type('text/html; charset=utf-8')
      .send(refusedPage('This address was altered, or was not made by the shop. Follow the link of the shop again.'));
  }

  app.register(async (shop) => {
    // The signature is of the raw body, so the body is parsed only after the check.
    shop.removeAllContentTypeParsers();
    shop.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    shop.addHook('preValidation', async (request: FastifyRequest<{ Body: unknown }>, reply) => {
      const body = typeof request.body === 'string' ? request.body : '';
      if (!isSigned(secret, String(request.headers['payment-signature']), body, new Date()))
        return reply.code(401).send({ error: 'The request is not signed as the callbacks are, or not just now.' });
      request.body = JSON.parse(body);
      return undefined;
    });
    shop.post<{ Body: { paymentId: string } }>(
      '/shop/close',
      { schema: { body: bodyOf({ paymentId: shopId }) } },
      async ({ body: { paymentId } }) => {
        await provider.act(paymentId, { kind: 'close' });
        return { paymentId, closed: true };
      },
    );
    shop.post<{ Body: { paymentId: string; id: string } }>(
      '/shop/refunds/find',
      { schema: { body: bodyOf({ paymentId: shopId, id: shopId }) } },
      async ({ body: { paymentId, id } }) => ({ refund: refundOf(paymentId, id) ?? null }),
    );
    shop.post<{ Body: Refund & { paymentId: string } }>(
      '/shop/refunds',
      { schema: { body: bodyOf({ paymentId: shopId, id: shopId, reference: shopId, amount: money }) } },
      async ({ body: { paymentId, ...refund } }) => {
        await provider.act(paymentId, { kind: 'refund', ...refund });
        return { refund: refundOf(paymentId, refund.id) };
      },
    );
  });
  const refundOf = (paymentId: string, id: string) =>
    provider.payment(paymentId).refunds.find((refund) => refund.id === id);

  app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      if (isSame(request.headers.authorization ?? '', `Bearer ${secret}`)) return undefined;
      return reply.code(401).send({ error: "The secret is the bearer token of this provider's API." });
    });
    api.post<{ Params: { paymentId: string; action: ApiAction }; Body: ApiBody }>(
      '/api/payments/:paymentId/:action',
      { schema: { params: apiParams, body: apiBody } },
      async ({ params: { paymentId, action }, body }, reply) => {
        const { amount, currency, reference, ...how } = body;
        const money = amount === undefined || currency === undefined ? undefined : { amount, currency };
        const deliveries = await provider.act(paymentId, apiActionOf(action, money, reference), how);
        return reply.code(202).send({ callbacks: deliveries });
      },
    );
    api.get<{ Querystring: { payment?: string } }>(
      '/api/callbacks',
      { schema: { querystring: { type: 'object', properties: { payment: { type: 'string' } } } } },
      async ({ query }) => ({ callbacks: provider.deliveries(query.payment) }),
    );
    // The callback is sent exactly as it came, byte by byte, so the body is not parsed.
    await api.register(async (verbatim) => {
      verbatim.removeAllContentTypeParsers();
      verbatim.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
      verbatim.post<{ Body: string | undefined; Querystring: HowToSend }>(
        '/api/callbacks',
        { schema: { querystring: { type: 'object', properties: howToSend } } },
        async ({ body, query }, reply) => reply.code(202).send({ callbacks: await provider.send(body ?? '', query) }),
      );
    });
  });
  return app;
}

interface PageRoute {
  Params: { paymentId: string };
  Querystring: LinkQuery;
  Body: Form | undefined;
}
type PageRequest = FastifyRequest<PageRoute>;

function amountOf({ amount, currency }: LinkQuery): Money {
  return { amount: Number(amount), currency };
}

/** The action of the pressed button. Throws an ActionError if the amount is not valid. */
function actionOf(form: Form, requested: Money): Action {
  const { action, reference } = form;
  const amount = (): Money => {
    const minorUnits = fromDecimal((form.amount ?? '').trim(), requested.currency);
    if (minorUnits !== undefined) return { amount: minorUnits, currency: requested.currency };
    throw new ActionError(`Write the amount in ${requested.currency} as a number, such as 12 or 12.50.`);
  };
  switch (action ?? '') {
    case 'pay':
      return { kind: 'pay', amount: requested, times: 1 };
    case 'pay-twice':
      return { kind: 'pay', amount: requested, times: 2 };
    case 'part':
      return { kind: 'pay', amount: amount(), times: 1 };
    case 'fail':
      return { kind: 'fail', amount: requested };
    case 'refund':
    case 'dispute':
      return {
        kind: action === 'refund' ? 'refund' : 'dispute',
        amount: amount(),
        ...(reference !== undefined && { reference }),
      };
    default:
      throw new ActionError('This page has no such button.');
  }
}

function apiActionOf(action: ApiAction, amount: Money | undefined, reference: string | undefined): Action {
  if (action === 'refund' || action === 'dispute')
    return { kind: action, ...(amount && { amount }), ...(reference !== undefined && { reference }) };
  if (!amount) throw new ActionError('State amount and currency.');
  return action === 'pay' ? { kind: 'pay', amount, times: 1 } : { kind: 'fail', amount };
}
