import { engagementFields } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { allows, choosePreferences, defaultPreferences, unsubscribe } from './preferences.ts';

describe('preferences', () => {
  it('are all on where nothing was chosen, but mail of offers and marketing', () => {
    const preferences = defaultPreferences('user_1');
    for (const category of ['offers', 'marketing'] as const) {
      expect(allows(preferences, category, 'EMAIL')).toBe(false);
      expect(allows(preferences, category, 'IN_APP')).toBe(true);
      expect(allows(preferences, category, 'PUSH')).toBe(true);
    }
    for (const category of ['security', 'account', 'orders', 'invoices', 'wishlist'] as const)
      expect(allows(preferences, category, 'EMAIL')).toBe(true);
  });

  it('switch one channel of one category; what is left out takes its default', () => {
    const preferences = choosePreferences('user_1', {
      types: { orders: { EMAIL: false }, offers: { EMAIL: true }, marketing: { PUSH: false } },
      quietHours: null,
    });
    expect(allows(preferences, 'orders', 'EMAIL')).toBe(false);
    expect(allows(preferences, 'orders', 'IN_APP')).toBe(true);
    expect(allows(preferences, 'offers', 'EMAIL')).toBe(true);
    expect(allows(preferences, 'marketing', 'EMAIL')).toBe(false);
    expect(allows(preferences, 'marketing', 'PUSH')).toBe(false);
  });

  it('never switch off security mail', () => {
    const off = { EMAIL: false, IN_APP: false, SMS: false };
    const choose = () => choosePreferences('user_1', { types: { security: off }, quietHours: null });
    const fields = (['IN_APP', 'EMAIL'] as const).map(engagementFields.securityStaysOn);
    expect(choose).toThrow(expect.objectContaining({ code: 'security_messages_required', fields }));
    // Even where such preferences were stored in some other way.
    const defaults = defaultPreferences('user_1');
    const stored = { ...defaults, types: { ...defaults.types, security: { ...off, PUSH: true } } };
    expect(allows(stored, 'security', 'EMAIL')).toBe(true);
    expect(allows(stored, 'security', 'SMS')).toBe(false);
  });

  it('never switch off mails about invoices, but the notifications in the app', () => {
    const choose = (channels: object) =>
      choosePreferences('user_1', { types: { invoices: channels }, quietHours: null });
    const fields = [engagementFields.invoiceMailsStayOn()];
    expect(() => choose({ EMAIL: false })).toThrow(expect.objectContaining({ code: 'invoice_mails_required', fields }));
    const chosen = choose({ IN_APP: false });
    expect(allows(chosen, 'invoices', 'IN_APP')).toBe(false);
    expect(allows(chosen, 'invoices', 'EMAIL')).toBe(true);
  });

  it('name every channel that has to stay on', () => {
    const types = { security: { EMAIL: false }, invoices: { EMAIL: false } };
    const fields = [engagementFields.securityStaysOn('EMAIL'), engagementFields.invoiceMailsStayOn()];
    expect(() => choosePreferences('user_1', { types, quietHours: null })).toThrow(expect.objectContaining({ fields }));
  });
});

describe('one click', () => {
  const optedIn = choosePreferences('user_1', {
    types: { offers: { EMAIL: true }, marketing: { EMAIL: true }, orders: { SMS: false } },
    quietHours: { start: '22:00', end: '07:00', timeZone: 'Europe/Amsterdam' },
  });

  it('switches off mail of its category, and nothing else', () => {
    const decision = unsubscribe(optedIn, 'user_1', 'offers');
    const { types } = optedIn;
    expect(decision).toMatchObject({ kind: 'changed', facts: [] });
    expect(decision.kind === 'changed' && decision.state).toEqual({
      ...optedIn,
      types: { ...types, offers: { ...types.offers, EMAIL: false } },
    });
  });

  it('writes nothing where it is off already', () => {
    expect(unsubscribe(null, 'user_1', 'offers').kind).toBe('unchanged');
    expect(unsubscribe(defaultPreferences('user_1'), 'user_1', 'marketing').kind).toBe('unchanged');
  });
});
