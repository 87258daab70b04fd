import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { berlin } from '../../../test/builders.ts';
import type { Entry } from '../../domain/books.ts';
import { ageingOf, maxEntries, statementOf, statementTime } from './statement.ts';

const time = { from: '2026-11-01', to: '2026-12-01' };

/** Entries of these amounts, a minute apart, after a balance. */
function entriesOf(amounts: readonly number[], before = 0): Entry[] {
  let balance = before;
  return amounts.map((amount, index) => {
    balance += amount;
    return {
      accountId: 'user_1',
      sequence: index + 1,
      at: new Date(Date.parse('2026-11-20T22:59:00Z') + index * 60_000),
      kind: amount < 0 ? 'payment' : 'invoice',
      id: `inv_${index}`,
      number: null,
      amount,
      balance,
    };
  });
}

describe('the time of a statement', () => {
  const refusal = (from: string, to: string) => {
    try {
      return statementTime({ from, to });
    } catch (error) {
      return (error as { fields: unknown }).fields;
    }
  };

  it('is a day or more, and 400 days at most', () => {
    expect(refusal('2026-11-01', '2026-11-02')).toEqual({ from: '2026-11-01', to: '2026-11-02' });
    expect(refusal('2026-01-01', '2027-02-05')).toEqual({ from: '2026-01-01', to: '2027-02-05' });
    expect(refusal('2026-11-01', '2026-11-01')).toMatchObject([{ pointer: '/to', in: 'query', code: 'invalid_value' }]);
    expect(refusal('2026-11-02', '2026-11-01')).toMatchObject([{ pointer: '/to', in: 'query', code: 'invalid_value' }]);
    expect(refusal('2026-01-01', '2027-02-06')).toMatchObject([{ pointer: '/to', in: 'query', code: 'too_big' }]);
  });
});

describe('a statement', () => {
  it('opens with the balance before its first entry, and closes with that after its last one', () => {
    const statement = statementOf(time, entriesOf([3923, -1000, -5000], 500), 7, berlin);
    expect(statement).toMatchObject({ ...time, opening: 500, closing: -1577 });
    expect(statement.entries.map(({ on, balance }) => [on, balance])).toEqual([
      ['2026-11-20', 4423],
      ['2026-11-21', 3423],
      ['2026-11-21', -1577],
    ]);
  });

  it('without entries opens and closes with the balance before', () => {
    expect(statementOf(time, [], -250, berlin)).toEqual({ ...time, opening: -250, entries: [], closing: -250 });
  });

  it('adds up', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), fc.integer({ min: -1e9, max: 1e9 }), (all, before) => {
        const { opening, entries, closing } = statementOf(time, entriesOf(all, before), before, berlin);
        expect(entries.reduce((sum, { amount }) => sum + amount, opening)).toBe(closing);
      }),
    );
  });

  it('has 5,000 entries at most', () => {
    const entries = entriesOf(Array.from({ length: maxEntries + 1 }, () => 1));
    expect(statementOf(time, entries.slice(1), 0, berlin).entries).toHaveLength(5000);
    expect(() => statementOf(time, entries, 0, berlin)).toThrow('5000 entries at most');
  });
});

describe('what is owed by age', () => {
  const due = (dueOn: string) => ageingOf([{ dueOn, balance: 10 }], 0, '2026-12-31');
  const none = { notDue: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0, credit: 0 };

  it('counts the days after the day on which it was due', () => {
    expect(due('2027-01-05')).toEqual({ ...none, notDue: 10 });
    expect(due('2026-12-31')).toEqual({ ...none, notDue: 10 });
    expect(due('2026-12-30')).toEqual({ ...none, days1To30: 10 });
    expect(due('2026-12-01')).toEqual({ ...none, days1To30: 10 });
    expect(due('2026-11-30')).toEqual({ ...none, days31To60: 10 });
    expect(due('2026-11-01')).toEqual({ ...none, days31To60: 10 });
    expect(due('2026-10-31')).toEqual({ ...none, days61To90: 10 });
    expect(due('2026-10-02')).toEqual({ ...none, days61To90: 10 });
    expect(due('2026-10-01')).toEqual({ ...none, over90: 10 });
  });

  it('is all that is owed, each invoice once', () => {
    const day = fc.integer({ min: 0, max: 400 }).map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString());
    const owed = fc.array(fc.record({ dueOn: day.map((at) => at.slice(0, 10)), balance: fc.nat(1e9) }));
    fc.assert(
      fc.property(owed, fc.nat(), (all, unused) => {
        const { credit, ...ages } = ageingOf(all, unused, '2026-12-31');
        expect(credit).toBe(unused);
        const sum = Object.values(ages).reduce((total, amount) => total + amount, 0);
        expect(sum).toBe(all.reduce((total, { balance }) => total + balance, 0));
      }),
    );
  });
});
