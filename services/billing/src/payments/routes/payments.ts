import {
  billingFields,
  billingOperations,
  commonErrors,
  notFound,
  returnUrlNotAllowed,
  roleRefusal,
  type billingHttp,
} from '@storefront/contracts';
import { isReturnUrl } from '@storefront/process';
import { actorOf, newIdFor, type Cursors, type Handlers, type RequestOf } from '@storefront/http';
import { allocatePayment } from '../commands/allocate-payment.ts';
import { createPayment, type CreateTogether } from '../commands/create-payment.ts';
import type { Payment } from '../../domain/payment.ts';

type Operation = 'listPayments' | 'createPayment' | 'getPayment' | 'allocatePayment';

const newestFirst = { createdAt: -1, _id: -1 } as const;

export function paymentHandlers(
  parts: Parameters<typeof allocatePayment>[0] & {
    readonly createTogether: CreateTogether;
    readonly cursors: Cursors;
    readonly returnUrls: readonly string[];
  },
): Pick<Handlers<typeof billingOperations>, Operation> {
  const { payments, cursors, returnUrls, shop } = parts;
  return {
    async listPayments(request) {
      const { caller, query, asStaff } = request;
      const account = ownerOf(request) ?? query.account;
      if (!asStaff && query.account !== undefined) throw roleRefusal(billingOperations.listPayments);
      const { status } = query;
      const filter = {
        ...(account === undefined ? {} : { accountId: account }),
        ...(status === undefined ? {} : { status }),
      };
      const hint = `${account === undefined ? 'all_' : ''}${status === undefined ? 'newest' : 'by_status'}`;
      return await cursors.page(
        { list: 'payments', owner: caller.sub, query },
        (slice) => payments.page({ filter, order: newestFirst, slice, hint }),
        ({ state }) => showPayment(state),
      );
    },

    createPayment: {
      check: ({ amount, returnUrl }) => [
        ...(amount !== undefined && amount.currency !== shop.currency
          ? [billingFields.otherCurrency('/amount', shop.currency)]
          : []),
        ...(amount?.amount === 0 ? [billingFields.nothing('/amount')] : []),
        ...(returnUrl !== undefined && !isReturnUrl(returnUrl, returnUrls) ? [returnUrlNotAllowed()] : []),
      ],
      async handle(request, reply) {
        const { caller, body } = request;
        const id = newIdFor(request, 'pay');
        const payment = await createPayment(parts, { id, accountId: caller.sub, given: body });
        void reply.header('location', `/v1/payments/${id}`);
        return showPayment(payment);
      },
      again: async (request) => showPayment(await load(newIdFor(request, 'pay'), request.caller.sub)),
    },

    getPayment: async (request) => showPayment(await load(request.params.id, ownerOf(request))),

    allocatePayment: {
      handle: async (request) =>
        showPayment(
          await allocatePayment(parts, { id: request.params.id, allocation: request.body, actor: actorOf(request) }),
        ),
      again: async ({ params }) => showPayment(await load(params.id, undefined)),
    },
  };

  /** `owner` is undefined for staff, who may read every payment. */
  async function load(id: string, owner: string | undefined): Promise<Payment> {
    const found = await payments.findOne({ _id: id, ...(owner === undefined ? {} : { accountId: owner }) });
    if (!found) throw notFound('payment');
    return found.state;
  }
}

/** The user whose payments the caller may see; undefined for staff, who see all payments. */
function ownerOf({
  asStaff,
  caller,
}: Pick<RequestOf<typeof billingOperations.getPayment>, 'asStaff' | 'caller'>): string | undefined {
  if (asStaff) return undefined;
  if (caller.role !== 'trade') throw commonErrors.tradeAccountRequired();
  return caller.sub;
}

function showPayment(payment: Payment): billingHttp.PaymentBody {
  const { id, accountId, orderId, provider, status, currency, asked, invoiceIds, unallocatedReason, worth } = payment;
  const money = (amount: number) => ({ amount, currency });
  const worthMoney = (amount: number) => ({ amount, currency: worth?.currency ?? currency });
  return {
    id,
    accountId,
    orderId,
    provider,
    status,
    amount: asked === null ? null : money(asked),
    received: money(payment.received),
    refunded: money(payment.refunded),
    invoiceIds: [...invoiceIds],
    allocations: payment.allocations.map(({ invoiceId, amount }) => ({ invoiceId, amount: worthMoney(amount) })),
    remainder: worthMoney(payment.remainder),
    unallocatedReason,
    redirectUrl: status === 'pending' ? payment.redirectUrl : null,
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  };
}
