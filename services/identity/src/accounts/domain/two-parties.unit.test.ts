import { Refusal } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { review } from '../../administration/domain/trade-account.ts';
import type { User } from '../../domain/user.ts';
import { prove } from './proved-registration.ts';
import { newRegistration, purposeFor, useUp, type Registration } from './registration.ts';

// The owner of a mailbox and a stranger register the same email. Here every sequence of their actions is played on the
// decisions alone; the tests of the service play some of them over HTTP.

const now = new Date('2026-11-21T09:30:00.000Z');
const details = {
  businessName: 'Engines',
  businessAddress: '1 Mill Lane',
  referralCode: null,
  vatNumber: null,
  companyRegistration: null,
  country: 'GB',
};

type Party = 'owner' | 'stranger';

/** The email's account, and the registrations that wait. */
class World {
  account: User | null = null;
  readonly waiting = new Map<string, Registration>();
  readonly newest: Partial<Record<Party, string>> = {};
  made = 0;

  register(party: Party, isTrade: boolean): void {
    const id = `registration ${(this.made += 1)}`;
    const draft = {
      id,
      email: 'ada@example.com',
      userId: `user of ${id}`,
      firstName: party,
      lastName: 'Lovelace',
      phone: null,
      passwordHash: `password of ${party}`,
      passwordTag: 1,
      trade: isTrade ? details : null,
      purpose: purposeFor(this.account, isTrade),
    };
    const code = { id: `code of ${id}`, sealed: '', hashFor: () => '' };
    this.waiting.set(id, newRegistration(draft, code, now).registration);
    this.newest[party] = id;
  }

  /** The owner reads the mailbox, so the code for the newest registration of their own. Refusals change nothing. */
  enterCode(): void {
    const current = this.waiting.get(this.newest.owner ?? '') ?? null;
    try {
      const used = useUp(current, current?.code.id ?? '');
      const registration = used.kind === 'deleted' ? used.result : null;
      if (!registration) return;
      const owner = this.account?.id ?? registration.userId;
      const expected = registration.purpose.kind === 'again' ? registration.purpose.of : registration.userId;
      // As the store gives an email: to the first.
      if (owner !== expected) return;
      const proved = prove(this.account, registration, now);
      if (proved.kind === 'changed') this.account = proved.state;
      this.waiting.delete(registration.id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  reject(): void {
    if (this.account?.status !== 'pending-approval') return;
    const decision = review(this.account, 'reject', { by: 'user_admin', reason: 'Because.', now });
    if (decision.kind === 'changed') this.account = decision.state;
  }
}

const actions: Record<string, (world: World) => void> = {
  'owner registers': (world) => world.register('owner', false),
  'owner applies': (world) => world.register('owner', true),
  'owner enters the code': (world) => world.enterCode(),
  'stranger registers': (world) => world.register('stranger', false),
  'stranger applies': (world) => world.register('stranger', true),
  'administrator rejects': (world) => world.reject(),
};
const names = Object.keys(actions);

it('an email belongs to whoever proved it, in every sequence of up to six actions', () => {
  const lost: string[] = [];
  let played = 0;
  for (let length = 0; length <= 6; length += 1) {
    for (let code = 0; code < names.length ** length; code += 1) {
      const sequence = sequenceOf(code, length);
      const world = new World();
      for (const name of sequence) actions[name]?.(world);
      played += 1;
      const isOwners = world.account === null || world.account.passwordHash === 'password of owner';
      if (!isOwners || !canGetIn(world)) lost.push(sequence.join(', '));
    }
  }
  expect(lost).toEqual([]);
  expect(played).toBe(55_987);
});

function sequenceOf(code: number, length: number): string[] {
  return Array.from({ length }, (_, place) => names[Math.floor(code / names.length ** place) % names.length] ?? '');
}

/** Whether the owner has the account, or gets it by registering now. */
function canGetIn(world: World): boolean {
  if (world.account) return true;
  world.register('owner', false);
  world.enterCode();
  return world.account !== null;
}
