import { describe, expect, it } from 'vitest';
import { assertMayLogIn } from './admission.ts';
import { newUser } from './user.ts';

const now = new Date('2026-11-21T09:30:00.000Z');
const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', phone: null, passwordHash: 'hash' };
const user = { ...newUser('user_1', person, 'first', now), emailVerifiedAt: now };

describe('logging in', () => {
  it.each(['active', 'approved'] as const)('needs the status %s and a verified email', (status) => {
    expect(() => assertMayLogIn({ ...user, status })).not.toThrow();
    expect(() => assertMayLogIn({ ...user, status, emailVerifiedAt: null })).toThrow(/Prove the email/);
  });

  it.each([
    ['pending-approval', 'account_pending_approval'],
    ['info-requested', 'account_pending_approval'],
    ['rejected', 'account_rejected'],
    ['suspended', 'account_suspended'],
    ['erasing', 'invalid_credentials'],
  ] as const)('is refused for the status %s before the email is looked at', (status, code) => {
    expect(() => assertMayLogIn({ ...user, status, emailVerifiedAt: null })).toThrow(expect.objectContaining({ code }));
  });
});
