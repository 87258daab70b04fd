import { newId, type identityOperations } from '@storefront/contracts';
import {
  applyForTrade,
  claimsOf,
  expectStatus,
  judge,
  logIn,
  newEmail,
  newPassword,
  tradeApplication,
} from '../system/people.ts';
import type { Fixtures } from './fixtures.ts';
import { id, type RowsOf } from './row.ts';

const reason = () => ({ reason: 'It has to be shown.' });

/** A trade account to which these verdicts were given. */
const tradeAccount = (...verdicts: string[]) =>
  id('user', async ({ system, admin }: Fixtures) => {
    const applied = await applyForTrade(system, admin, 'judged');
    for (const verdict of verdicts) await judge(system, admin, applied.id, verdict);
    return applied.id;
  });

// What a passkey could have answered to a challenge that was never made.
const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const clientDataJSON = Buffer.from('{"challenge":"AAAA"}').toString('base64url');
const passkeyAnswer = { ...credential, response: { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' } };
const passkeyCreation = { ...credential, response: { clientDataJSON, attestationObject: 'AAAA' } };

/** The one administrator here, who has no second factor: nothing but the lists is allowed without one. */
const administrator = () => id('user', ({ admin }: Fixtures) => admin.id);
const withoutFactor = [422, 'second_factor_missing'] as const;

const apiTokenBody = () => ({ name: 'ERP', scopes: ['catalog:read'], expiresAt: inAnHour() });
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const apiToken = id('apit', async ({ system, admin: { token } }: Fixtures) => {
  const made = await expectStatus(system.call('POST', '/v1/api-tokens', { token, body: apiTokenBody() }), 201);
  return made.id as string;
});

/** Nobody here has a passkey: services/identity/test/passkeys.int.test.ts tries those of others. */
const noPasskey = id('pkey', () => newId('pkey'));

const registration = ({ system }: Fixtures) => ({
  email: newEmail('new'),
  password: newPassword(system),
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+31 20 123 4567',
});

export const identityRows: RowsOf<typeof identityOperations> = {
  register: { access: 'public', ok: 202, body: registration },
  registerTrade: {
    access: 'public',
    ok: 201,
    body: ({ system }) => ({
      ...tradeApplication(newEmail('business'), newPassword(system)),
      referralCode: 'R-1',
      vatNumber: 'NL000099998B57',
      companyRegistration: '12345678',
    }),
  },
  verifyEmail: {
    access: 'public',
    ok: [400, 'invalid_code'],
    body: () => ({ registrationId: newId('reg'), code: '000000' }),
  },
  resendCode: {
    access: 'public',
    ok: 202,
    body: ({ system }) => ({ email: newEmail('nobody'), password: newPassword(system) }),
  },
  logIn: {
    access: 'public',
    ok: [401, 'invalid_credentials'],
    body: ({ system }) => ({ email: newEmail('nobody'), password: newPassword(system) }),
  },
  refreshTokens: {
    access: 'public',
    ok: [401, 'invalid_refresh_token'],
    body: () => ({ refreshToken: 'x'.repeat(86) }),
  },
  // No page of the same origin sends these; services/identity/test/console-sessions.int.test.ts does.
  keepConsoleSession: {
    access: 'public',
    ok: [403, 'other_origin'],
    body: () => ({ refreshToken: 'x'.repeat(86) }),
  },
  refreshConsoleSession: { access: 'public', ok: [403, 'other_origin'] },
  endConsoleSession: { access: 'public', ok: [403, 'other_origin'] },
  createStreamTicket: { access: 'user', ok: 201 },
  forgotPassword: { access: 'public', ok: 202, body: () => ({ email: newEmail('nobody') }) },
  resetPassword: {
    access: 'public',
    ok: [400, 'invalid_code'],
    body: ({ system }) => ({ recoveryId: newId('rec'), code: '000000', newPassword: newPassword(system) }),
  },
  changePassword: {
    access: 'user',
    ok: 200,
    fresh: true,
    endsTokens: true,
    body: ({ system }, who) => ({ currentPassword: who.password, newPassword: newPassword(system) }),
    after: (who, body) => (who.password = (body as { newPassword: string }).newPassword),
  },
  getMfa: { access: 'user', ok: 200 },
  beginTotp: { access: 'user', ok: 200, fresh: true },
  confirmTotp: { access: 'user', ok: [400, 'invalid_factor'], body: () => ({ code: '000000' }) },
  removeTotp: { access: 'user', ok: 204, fresh: true },
  makeRecoveryCodes: { access: 'user', ok: [422, 'second_factor_missing'], fresh: true },
  verifyMfa: {
    access: 'public',
    ok: [401, 'invalid_mfa_token'],
    body: () => ({ mfaToken: 'mfa_nothing', code: '000000' }),
  },
  getMfaPasskeyOptions: {
    access: 'public',
    ok: [401, 'invalid_mfa_token'],
    body: () => ({ mfaToken: 'mfa_nothing' }),
  },
  getPasskeyOptions: { access: 'user', ok: 200, fresh: true },
  addPasskey: {
    access: 'user',
    ok: [400, 'invalid_factor'],
    body: () => ({ name: 'Laptop', response: passkeyCreation }),
  },
  listPasskeys: { access: 'user', ok: 200 },
  renamePasskey: { access: 'user', ok: [404, 'not_found'], id: noPasskey, body: () => ({ name: 'Old laptop' }) },
  removePasskey: { access: 'user', ok: [404, 'not_found'], id: noPasskey },
  getPasskeyLoginOptions: { access: 'public', ok: 200 },
  logInByPasskey: {
    access: 'public',
    ok: [401, 'invalid_passkey'],
    body: () => ({ response: passkeyAnswer }),
  },
  reauthenticate: { access: 'user', ok: 200, body: (_fixtures, who) => ({ password: who.password }) },
  getReauthenticationOptions: { access: 'user', ok: [422, 'second_factor_missing'] },
  changeEmail: { access: 'user', ok: 202, fresh: true, body: () => ({ email: newEmail('changed') }) },
  confirmEmail: {
    access: 'user',
    ok: [400, 'invalid_code'],
    body: () => ({ emailChangeId: newId('emch'), code: '000000' }),
  },
  revertChanges: { access: 'public', ok: [400, 'invalid_revert_token'], body: () => ({ token: 'x'.repeat(43) }) },
  logOut: { access: 'user', alsoFor: ['applicant'], ok: 200, endsTokens: true },
  listSessions: { access: 'user', ok: 200 },
  endSession: {
    access: 'user',
    ok: 204,
    anew: true,
    id: id('sess', async ({ system }, who) => String(claimsOf((await logIn(system, who)).token).sid)),
  },
  getMe: { access: 'user', ok: 200 },
  changeMe: { access: 'user', ok: 200, body: () => ({ firstName: 'Grace', lastName: 'Hopper', phone: null }) },
  exportMe: { access: 'user', ok: 202, fresh: true },
  getMyExport: {
    access: 'user',
    ok: 200,
    fresh: true,
    anew: true,
    id: id('exp', async ({ system }, { token }) => {
      const asked = await expectStatus(system.call('POST', '/v1/users/me/export', { token }), 202);
      return asked.id as string;
    }),
  },
  // With another password than theirs, so that everybody is there afterwards; in earnest it is asked for by the leavers.
  eraseMe: {
    access: 'user',
    ok: [400, 'validation_failed'],
    fresh: true,
    body: ({ system }) => ({ password: newPassword(system) }),
  },
  listUsers: { access: 'staff', roles: ['support'], ok: 200 },
  getUser: { access: 'staff', roles: ['support'], ok: 200, id: id('user', ({ admin }: Fixtures) => admin.id) },
  // An administrator is not erased; those who are: services/identity/test/user-data.int.test.ts.
  eraseUser: { access: 'admin', fresh: true, ok: [422, 'staff_not_erasable'], id: administrator() },
  exportUser: { access: 'admin', fresh: true, ok: 202, id: id('user', ({ owner }: Fixtures) => owner.id) },
  getUserExport: {
    access: 'admin',
    fresh: true,
    anew: true,
    ok: 200,
    id: {
      async own({ system, admin: { token }, owner }) {
        const asked = await expectStatus(system.call('POST', `/v1/users/${owner.id}/export`, { token }), 202);
        return [owner.id, asked.id as string];
      },
      random: () => [newId('user'), newId('exp')],
      missing: 'not_found',
    },
  },
  listTradeAccounts: { access: 'staff', roles: ['sales', 'support'], ok: 200 },
  resubmitTradeAccount: {
    access: 'user',
    alsoFor: ['applicant'],
    ok(who, { applicant, trade, otherTrade }) {
      if (who === applicant) return 200;
      return who === trade || who === otherTrade ? [409, 'invalid_transition'] : [404, 'not_found'];
    },
    body: () => ({
      phone: '+31 20 765 4321',
      businessName: 'Quay Wholesale',
      businessAddress: 'Pier 5, 1011 AB Amsterdam',
      referralCode: 'R-2',
      vatNumber: 'NL000099998B57',
      companyRegistration: '12345678',
      country: 'NL',
      note: 'The number is in the register now.',
    }),
    // Asked once more, so that the session is what it was.
    async after(who, _body, { system, admin, applicant }) {
      if (who === applicant) await judge(system, admin, applicant.id, 'request-info');
    },
  },
  getTradeAccount: { access: 'staff', roles: ['sales', 'support'], ok: 200, id: tradeAccount() },
  changeTradeAccount: {
    access: 'staff',
    roles: ['sales'],
    ok: 200,
    id: tradeAccount(),
    body: () => ({ country: 'BE' }),
  },
  approveTradeAccount: {
    access: 'staff',
    roles: ['sales'],
    ok: 200,
    id: tradeAccount(),
    body: () => ({ ...reason(), country: 'NL' }),
  },
  rejectTradeAccount: { access: 'staff', roles: ['sales'], ok: 200, id: tradeAccount(), body: reason },
  requestInfoTradeAccount: { access: 'staff', roles: ['sales'], ok: 200, id: tradeAccount(), body: reason },
  suspendTradeAccount: { access: 'staff', roles: ['sales'], ok: 200, id: tradeAccount('approve'), body: reason },
  reinstateTradeAccount: {
    access: 'staff',
    roles: ['sales'],
    ok: 200,
    id: tradeAccount('approve', 'suspend'),
    body: reason,
  },
  listStaff: { access: 'admin', ok: 200 },
  getStaffMember: { access: 'admin', ok: 200, id: administrator() },
  disableStaffMember: { access: 'admin', ok: withoutFactor, id: administrator(), body: reason },
  enableStaffMember: { access: 'admin', ok: withoutFactor, id: administrator(), body: reason },
  endStaffSessions: { access: 'admin', ok: withoutFactor, id: administrator() },
  removeStaffTotp: { access: 'admin', ok: withoutFactor, id: administrator() },
  removeStaffPasskey: {
    access: 'admin',
    ok: [404, 'not_found'],
    id: {
      own: ({ admin }) => [admin.id, newId('pkey')],
      random: () => [newId('user'), newId('pkey')],
      missing: 'not_found',
    },
  },
  changeRole: { access: 'admin', ok: withoutFactor, id: administrator(), body: () => ({ role: 'catalog' }) },
  createApiToken: { access: 'admin', fresh: true, ok: 201, body: apiTokenBody },
  listApiTokens: { access: 'admin', ok: 200 },
  revokeApiToken: { access: 'admin', fresh: true, ok: 204, id: apiToken },
  listAudit: { access: 'staff', roles: ['support'], ok: 200 },
  exportAudit: { access: 'admin', ok: 200 },
  listActivity: { access: 'user', ok: 200 },
  getKeySet: { access: 'public', ok: 200 },
};
