import { engagementFields } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { allows, choosePreferences, defaultPreferences } from './preferences.ts';

describe('preferences', () => {
  it('are all on where nothing was chosen', () => {
    const preferences = defaultPreferences('user_1');
    expect(allows(preferences, 'marketing', 'EMAIL')).toBe(true);
    expect(allows(preferences, 'security', 'IN_APP')).toBe(true);
  });

  it('switch off one channel of one category', () => {
    const preferences = choosePreferences('user_1', { types: { marketing: { EMAIL: false } }, quietHours: null });
    expect(allows(preferences, 'marketing', 'EMAIL')).toBe(false);
    expect(allows(preferences, 'marketing', 'IN_APP')).toBe(true);
    expect(allows(preferences, 'orders', 'EMAIL')).toBe(true);
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
});
