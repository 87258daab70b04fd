import type { Entry } from '../ledger.ts';
import { effectsOf, isSuccess } from '../client.ts';
import { isLoggedIn, type TestAccount, type TestOperation, type TestProduct } from './operation.ts';
import { expectOneOf } from './one-of.ts';
import { noteRefusal, tokenOf } from './sessions.ts';

const addAddress: TestOperation = {
  name: 'add an address',
  weight: 7,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const homeAddress = user.unique('Street');
    const reply = await user.client.call('POST', '/v1/users/me/addresses', {
      token: tokenOf(account),
      key: user.unique('key'),
      body: { homeAddress, contactPhone: '+31201234567', city: 'Amsterdam', country: 'NL' },
    });
    noteRefusal(entry, account, reply);
    entry.promise(`address ${homeAddress}`, {
      ...effectsOf(reply),
      count: async (finalState) => {
        const books = await finalState.find('account', 'address_books', { 'addresses.homeAddress': homeAddress });
        return books.flatMap(({ addresses }) => addresses).filter((each) => each.homeAddress === homeAddress).length;
      },
    });
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    account.addresses.push(reply.body.id);
  },
};

const switchDefault: TestOperation = {
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
    expectOneOf(entry, account, 'default address', id, reply, async (finalState) => {
      const [book] = await finalState.find('account', 'address_books', { _id: account.id });
      return book?.['defaultId'];
    });
  },
};

const addWish: TestOperation = {
  name: 'wish for a product',
  weight: 6,
  needs: { account: isLoggedIn, product: true },
  async run(user, entry, account, product) {
    const reply = await user.client.call('POST', '/v1/wishlist/items', {
      token: tokenOf(account),
      key: user.unique('key'),
      body: { productId: product.id },
    });
    noteRefusal(entry, account, reply);
    if (isSuccess(reply)) {
      entry.acknowledged();
      account.wishes.set(product.id, reply.body.id);
    }
    const effects = effectsOf(reply);
    // If the call certainly failed, the expectation does not change.
    if (effects.atMost > 0) expectWish(entry, account, product, effects);
  },
};

const removeWish: TestOperation = {
  name: 'remove a wish',
  weight: 3,
  needs: { account: (account) => isLoggedIn(account) && account.wishes.size > 0 },
  async run(user, entry, account) {
    const [productId, itemId] = user.random.pick([...account.wishes]);
    account.wishes.delete(productId);
    const reply = await user.client.call('DELETE', `/v1/wishlist/items/${itemId}`, { token: tokenOf(account) });
    noteRefusal(entry, account, reply);
    // After a lost response the next try may answer 404, because the first one removed the item.
    const isGone = isSuccess(reply) || (reply.status === 404 && reply.uncertainTries > 0);
    if (isGone) entry.acknowledged();
    expectWish(entry, account, { id: productId }, { atLeast: 0, atMost: isGone ? 0 : 1 });
  },
};

function expectWish(
  entry: Entry,
  account: TestAccount,
  { id }: Pick<TestProduct, 'id'>,
  effects: { atLeast: number; atMost: number },
): void {
  const what = `${id} in the wishlist of ${account.email}`;
  const isSure = effects.atLeast === effects.atMost;
  // An uncertain call may still be carried out later, so no later call makes the state certain again.
  if (!isSure) account.done.add(what);
  const isUnclear = account.done.has(what);
  entry.replace(what, {
    ...(isUnclear ? { atLeast: 0, atMost: 1 } : effects),
    count: async (finalState) => {
      const [list] = await finalState.find('account', 'wishlists', { _id: account.id });
      return ((list?.['items'] ?? []) as { productId: string }[]).filter((item) => item.productId === id).length;
    },
  });
}

export const account: readonly TestOperation[] = [addAddress, switchDefault, addWish, removeWish];
