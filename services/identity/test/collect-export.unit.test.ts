import { expect, it } from 'vitest';
import { collectExportPage } from '../src/user-data/commands/collect-export.ts';
import { collectOwnData } from '../src/user-data/commands/collect-own-data.ts';

const ada = { id: 'user_ada', status: 'active', email: 'ada@one.example' };
const requested = { exportId: 'exp_1', userId: ada.id, waitingFor: ['account', 'engagement'], expiresAt: new Date() };
const { signal } = new AbortController();

/** The pages that are stored, by their readings. */
function createPages(onAdd: () => void) {
  let stored: { readonly userId: string; readonly collection: string }[] = [];
  return {
    stored: () => stored,
    exportPages: {
      async add(page: (typeof stored)[number]) {
        onAdd();
        stored.push(page);
      },
      complete: async () => null,
      erase: async (userId: string) => void (stored = stored.filter((page) => page.userId !== userId)),
      remove: async (_id: string, collection: string) =>
        void (stored = stored.filter((page) => page.collection !== collection)),
    },
  };
}

it('a page that is stored after the user was erased is erased', async () => {
  let user: typeof ada | null = ada;
  // The process is halted between its look and its write, and the erasure ends meanwhile.
  const { exportPages, stored } = createPages(() => (user = null));
  const needs = {
    exportPages,
    users: { load: async () => user && { state: user } },
    exports: { load: async () => ({ state: requested }), change: async () => ({ result: null }) },
  } as unknown as Parameters<typeof collectExportPage>[0];
  const page = { exportId: requested.exportId, keeper: 'account', collection: 'one', page: 1, data: {} } as const;
  await collectExportPage(needs, ada.id, page, signal);
  expect(stored()).toEqual([]);
});

it('own data whose time is up ends between two pages, and leaves none', async () => {
  const timeUp = new AbortController();
  let adds = 0;
  const { exportPages, stored } = createPages(() => {
    adds += 1;
    if (adds === 3) timeUp.abort(new Error('time is up'));
  });
  // Without an end: each page of the list is larger than one of the export.
  const session = { id: 'x'.repeat(300_000), createdAt: new Date(), lastUsedAt: new Date(), expiresAt: new Date() };
  async function* endless() {
    for (;;) yield { sessions: [session] };
  }
  const needs = {
    exportPages,
    kept: [{ collect: endless }],
  } as unknown as Parameters<typeof collectOwnData>[0];
  const user = { ...ada, createdAt: new Date(), verifiedAt: new Date() } as unknown as Parameters<
    typeof collectOwnData
  >[1];
  const given = requested as unknown as Parameters<typeof collectOwnData>[2];
  await expect(collectOwnData(needs, user, given, timeUp.signal)).rejects.toThrow('time is up');
  expect(adds).toBe(3);
  expect(stored()).toEqual([]);
});
