import { describe, expect, it } from 'vitest';
import { anAccount } from '../../test/states.ts';
import { availableOf, creditRefusalOf, holdReasonOf, warningFacts, withWarning } from './credit.ts';

describe('the credit of an account', () => {
  it('is the limit less what it owes, and never below 0', () => {
    expect(availableOf(anAccount({ limit: 100, outstanding: 60, unused: 10 }))).toBe(50);
    expect(availableOf(anAccount({ limit: 100, outstanding: 160 }))).toBe(0);
    expect(availableOf(anAccount({ limit: null, outstanding: 160 }))).toBeNull();
  });

  it('is refused to a closed account, to one on hold and beyond the limit', () => {
    const account = anAccount({ limit: 100, outstanding: 60, unused: 10 });
    expect(creditRefusalOf(account, 50)).toBeNull();
    expect(creditRefusalOf(account, 51)).toBe('limit');
    expect(creditRefusalOf({ ...account, limit: null }, 1_000_000)).toBeNull();
    expect(creditRefusalOf({ ...account, overdueInvoices: ['inv_1'] }, 1)).toBe('hold');
    expect(creditRefusalOf({ ...account, hold: true }, 1)).toBe('hold');
    expect(creditRefusalOf({ ...account, hold: true, isOpen: false }, 1)).toBe('closed');
    expect(holdReasonOf({ ...account, hold: true, overdueInvoices: ['inv_1'] })).toBe('administrator');
  });

  it('is warned of once at 80 %, and again only after it was below 70 %', () => {
    let account = anAccount({ limit: 1000 });
    const published: number[] = [];
    for (const outstanding of [799, 800, 900, 700, 800, 699, 799, 800, 0]) {
      const after = withWarning({ ...account, outstanding });
      for (const { data } of warningFacts(account, after, 'EUR')) {
        expect(data).toEqual({ currency: 'EUR', limit: 1000, outstanding });
        published.push(outstanding);
      }
      account = after;
    }
    expect(published).toEqual([800, 800]);
    expect(account.isWarned).toBe(false);
    expect(withWarning(anAccount({ limit: 0 })).isWarned).toBe(false);
    expect(withWarning(anAccount({ limit: null, outstanding: 10 })).isWarned).toBe(false);
  });
});
