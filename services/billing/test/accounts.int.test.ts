import { identityEvents, newId } from '@storefront/contracts';
import { newEvent } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBilling, teaHouse, type Harness } from './harness.ts';

let billing: Harness;
beforeAll(async () => {
  billing = await startBilling({ bus: 'in-process' });
});
afterAll(() => billing.close());

const person = { email: 'buyer@example.com', firstName: 'Bea', lastName: 'Buyer' };
const submittedAt = '2026-11-20T09:30:00.000Z';
const decided = { ...person, businessName: teaHouse.name, reason: null, business: teaHouse, submittedAt };
const { tradeAccountApproved, tradeAccountChanged, tradeAccountSuspended, tradeAccountReinstated, userSnapshot } =
  identityEvents;
const published = (isApproved: boolean) => ({ ...person, role: 'trade' as const, isApproved, business: teaHouse });

async function after(id: string, ...events: ReturnType<typeof newEvent>[]) {
  for (const event of events) {
    await billing.publish(event);
    await billing.idle();
  }
  return billing.collection('accounts').findOne({ _id: id });
}

describe('a trade account', () => {
  it('is kept as identity publishes it', async () => {
    const id = newId('user');
    const approved = newEvent(tradeAccountApproved, id, decided, 2);
    expect(await after(id, approved)).toMatchObject({
      isOpen: true,
      sequence: 2,
      limit: 500_000,
      termsDays: 30,
      buyer: { businessName: teaHouse.name, address: teaHouse.address, country: 'DE', vatNumber: 'DE123456789' },
    });
    const suspended = newEvent(tradeAccountSuspended, id, decided, 3);
    // What comes again, or late, changes nothing.
    expect(await after(id, suspended, approved, suspended)).toMatchObject({ isOpen: false, sequence: 3 });
    const moved = { ...decided, business: { ...teaHouse, vatNumber: 'EL123456789', country: 'GR' } };
    expect(await after(id, newEvent(tradeAccountReinstated, id, moved, 4))).toMatchObject({
      isOpen: true,
      sequence: 4,
      buyer: { country: 'GR', vatNumber: 'EL123456789' },
    });
  });

  it('has another country when an administrator corrects it, but only as the newest event says', async () => {
    const id = newId('user');
    const corrected = (country: string, sequence: number) =>
      newEvent(tradeAccountChanged, id, { ...person, isApproved: true, business: { ...teaHouse, country } }, sequence);
    const approved = newEvent(tradeAccountApproved, id, decided, 2);
    expect(await after(id, approved, corrected('CH', 3))).toMatchObject({ isOpen: true, buyer: { country: 'CH' } });
    expect(await after(id, corrected('AT', 5), corrected('FR', 4))).toMatchObject({ buyer: { country: 'AT' } });
  });

  it('that was suspended before its approval came is closed', async () => {
    const id = newId('user');
    const late = newEvent(tradeAccountApproved, id, decided, 2);
    expect(await after(id, newEvent(tradeAccountSuspended, id, decided, 3), late)).toMatchObject({ isOpen: false });
  });

  it('is made anew by republish, but not for applicants, and not without the country', async () => {
    const [known, applicant, old, consumer] = [newId('user'), newId('user'), newId('user'), newId('user')];
    expect(await after(known, newEvent(userSnapshot, known, published(true), 7))).toMatchObject({
      isOpen: true,
      sequence: 7,
    });
    expect(await after(known, newEvent(userSnapshot, known, published(false), 8))).toMatchObject({
      isOpen: false,
      sequence: 8,
    });
    expect(await after(applicant, newEvent(userSnapshot, applicant, published(false), 1))).toBeNull();
    const nowhere = { ...decided, business: { ...teaHouse, country: null } };
    expect(await after(old, newEvent(tradeAccountApproved, old, nowhere, 3))).toBeNull();
    expect(await after(consumer, newEvent(userSnapshot, consumer, { ...person, role: 'retail' }, 1))).toBeNull();
  });
});
