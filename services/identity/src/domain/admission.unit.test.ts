import { describe, expect, it } from 'vitest';
import { assertMayLogIn, mayKeepSession } from './admission.ts';
import { newUser, sessionRoleOf } from './user.ts';

const now = new Date('2026-11-21T09:30:00.000Z');
const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', phone: null, passwordHash: 'hash' };
const user = newUser('user_1', person, now, now);

describe('logging in', () => {
  it.each(['active', 'approved', 'info-requested'] as const)('needs the status %s', (status) => {
    expect(() => assertMayLogIn({ ...user, status })).not.toThrow();
    expect(mayKeepSession({ ...user, status })).toBe(true);
  });

  it.each([
    ['pending-approval', 'account_pending_approval'],
    ['rejected', 'account_rejected'],
    ['suspended', 'account_suspended'],
    ['erasing', 'invalid_credentials'],
  ] as const)('is refused for the status %s', (status, code) => {
    expect(() => assertMayLogIn({ ...user, status })).toThrow(expect.objectContaining({ code }));
    expect(mayKeepSession({ ...user, status })).toBe(false);
  });

  it('of an applicant who was requested to send more begins a session that may only complete the application', () => {
    expect(sessionRoleOf({ role: 'trade', status: 'info-requested' })).toBe('applicant');
    expect(sessionRoleOf({ role: 'trade', status: 'approved' })).toBe('trade');
  });
});
