import type { Stack } from '@storefront/stack';
import {
  findVariant,
  prepareOrder,
  sendOrder,
  untilAnswered,
  type Send,
} from '../../packages/checkout-client/src/index.ts';
import { codeIn, mailTo } from '../../test/client.ts';

/** The trade customer orders so many pieces on account, which wait to be shipped at once. Returns the id of the order. */
export async function orderOnAccount(
  { gateways, accounts }: Stack,
  { pieces = 1, reference }: { readonly pieces?: number; readonly reference: string },
): Promise<string> {
  const { email, password } = accounts.trade ?? accounts.admin;
  const sender =
    (accessToken = ''): Send =>
    async (method, path, body, headers) => {
      const answer = await fetch(gateways[0] + path, {
        method,
        headers: { ...headers, authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    };
  const login = await sender()('POST', '/v1/auth/login', { email, password });
  const send = sender((login.body as { accessToken: string }).accessToken);
  const line = { ...(await findVariant(send, 'BEAN-002')), quantity: pieces };
  const shippingAddress = {
    firstName: 'Tess',
    lastName: 'Trade',
    homeAddress: 'Pier 4',
    city: '1011 AB Amsterdam',
    country: 'NL',
  };
  const { order } = await prepareOrder(send, { lines: [line], shippingAddress });
  const sent = await sendOrder(send, { ...order, reference, payment: { method: 'invoice' } });
  const placed = await untilAnswered(send, sent);
  if (placed.status !== 'placed') throw new Error(`the order ${reference} is ${placed.status}`);
  return placed.id;
}

/** Somebody applies for a trade account, and proves the email by the code of the mail. */
export async function applyForTrade({ gateways, mailbox }: Stack, email: string, businessName: string): Promise<void> {
  const post = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(gateways[0] + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const { registrationId } = await post('/v1/auth/trade/register', {
    email,
    password: 'kettle-lantern-orbit-77',
    firstName: 'Tea',
    lastName: 'Room',
    businessName,
    businessAddress: 'Keizersgracht 1, Amsterdam',
    phone: '+31201234567',
    country: 'NL',
  });
  const code = codeIn(await mailTo(mailbox ?? '', email, /code/i));
  const { status } = await post('/v1/auth/verify', { registrationId, code });
  if (status !== 'pending-approval') throw new Error(`${email} is ${status}`);
}
