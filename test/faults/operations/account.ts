import type { Entry } from '../ledger.ts';
import { effectsOf, isSuccess } from './operation.ts';
import type { Account, Operation, Product } from './operation.ts';
import { expectOneOf } from './one-of.ts';
import { noteRefusal, tokenOf } from './sessions.ts';

const isLoggedIn = ({ state, tokens }: Account) => state === 'active' && tokens !== undefined;

const addAddress: Operation = {
  name: 'add an address',
  weight: 7,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const homeAddress = user.fresh('Street');
    const reply = await user.client.call('POST', '/v1/users/me/addresses', {
      token: tokenOf(account),
      key: user.fresh('key'),
      body: { homeAddress, contactPhone: '+31201234567', city: 'Amsterdam', country: 'NL' },
    });
    noteRefusal(entry, account, reply);
    entry.promise(`address ${homeAddress}`, {
      ...effectsOf(reply),
      count: async (evidence) => {
        const books = await evidence.find('account', 'address_books', { 'addresses.homeAddress': homeAddress });
        return books.flatMap(({ addresses }) => addresses).filter((each) => each.homeAddress === homeAddress).length;
      },
    });
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    account.addresses.push(reply.body.id);
  },
};

const switchDefault: Operation = {
  name: 'make an address the default',
  weight: 4,
  needs: { account: (account) => isLoggedIn(account) && account.addresses.length > 1 },
  async run(user, entry, account) {
    const id = user.random.pick(account.addresses);
    const reply = await user.client.call('PATCH', `/v1/users/me/addresses/${id}`, {
      token: tokenOf(account),
      body: { isDefault: true },
    });
    noteRefusal(entry, account, reply);
    if (isSuccess(reply)) entry.acknowledged();
    expectOneOf(entry, account, 'default address', id, reply, async (evidence) => {
      const [book] = await evidence.find('account', 'address_books', { _id: account.id });
      return book?.['defaultId'];
    });
  },
};

const addWish: Operation = {
  name: 'wish for a product',
  weight: 6,
  needs: { account: isLoggedIn, product: true },
  async run(user, entry, account, product) {
    const reply = await user.client.call('POST', '/v1/wishlist/items', {
      token: tokenOf(account),
      key: user.fresh('key'),
      body: { productId: product.id },
    });
    noteRefusal(entry, account, reply);
    if (isSuccess(reply)) {
      entry.acknowledged();
      account.wishes.set(product.id, reply.body.id);
    }
    const effects = effectsOf(reply);
    // Refused for certain: what was expected before still is.
    if (effects.atMost > 0) expectWish(entry, account, product, effects);
  },
};

const removeWish: Operation = {
  name: 'remove a wish',
  weight: 3,
  needs: { account: (account) => isLoggedIn(account) && account.wishes.size > 0 },
  async run(user, entry, account) {
    const [productId, itemId] = user.random.pick([...account.wishes]);
    account.wishes.delete(productId);
    const reply = await user.client.call('DELETE', `/v1/wishlist/items/${itemId}`, { token: tokenOf(account) });
    noteRefusal(entry, account, reply);
    // Where an answer was lost the next try finds nothing to remove: it is gone.
    const isGone = isSuccess(reply) || (reply.status === 404 && reply.doubtful > 0);
    if (isGone) entry.acknowledged();
    expectWish(entry, account, { id: productId }, { atLeast: 0, atMost: isGone ? 0 : 1 });
  },
};

function expectWish(
  entry: Entry,
  account: Account,
  { id }: Pick<Product, 'id'>,
  effects: { atLeast: number; atMost: number },
): void {
  const what = `${id} in the wishlist of ${account.email}`;
  const isSure = effects.atLeast === effects.atMost;
  // What nobody knows may still be under way: nothing later makes it certain again.
  if (!isSure) account.done.add(what);
  const isUnclear = account.done.has(what);
  entry.replace(what, {
    ...(isUnclear ? { atLeast: 0, atMost: 1 } : effects),
    count: async (evidence) => {
      const [list] = await evidence.find('account', 'wishlists', { _id: account.id });
      return ((list?.['items'] ?? []) as { productId: string }[]).filter((item) => item.productId === id).length;
    },
  });
}

export const account: readonly Operation[] = [addAddress, switchDefault, addWish, removeWish];
