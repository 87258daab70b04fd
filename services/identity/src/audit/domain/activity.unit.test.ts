import { newId } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { activityOf } from './activity.ts';
import type { AuditEntry } from './entry.ts';

const [ada, admin, eve] = [newId('user'), newId('user'), newId('user')];
const entry: AuditEntry = {
  id: 'aud_1',
  at: new Date(0),
  action: 'trade-account-rejected',
  outcome: 'done',
  reason: null,
  actor: { userId: admin, role: 'admin', ip: '198.51.100.1', device: 'Firefox' },
  addressHash: null,
  object: { type: 'user', id: ada },
  about: ada,
  details: { reason: 'No' },
  erased: false,
};

describe('what somebody sees of the log', () => {
  it('is what was done to them, and nothing of the administrator who did it', () => {
    const seen = activityOf(entry, ada);
    expect(seen).toMatchObject({
      by: 'administrator',
      ip: null,
      device: null,
      object: { id: ada },
      details: { reason: 'No' },
    });
    expect(JSON.stringify(seen)).not.toContain(admin);
  });

  it('is what they did, and nothing of the person they did it to', () => {
    const seen = activityOf(entry, admin);
    expect(seen).toMatchObject({
      by: 'you',
      ip: '198.51.100.1',
      device: 'Firefox',
      object: { type: 'user', id: null },
      details: {},
    });
    expect(JSON.stringify(seen)).not.toContain(ada);
  });

  it('is the address of a stranger who tries their account', () => {
    const actor = { userId: null, role: 'nobody', ip: '203.0.113.7', device: 'curl' };
    expect(activityOf({ ...entry, actor }, ada)).toMatchObject({ by: 'somebody', ip: '203.0.113.7', device: 'curl' });
  });

  it('is nothing of another user who acts on them', () => {
    const actor = { userId: eve, role: 'retail', ip: '203.0.113.7', device: 'curl' };
    expect(activityOf({ ...entry, actor }, ada)).toMatchObject({ by: 'administrator', ip: null, device: null });
  });
});
