import { z } from 'zod';
import { controlChanges } from '../control-changes.ts';
import { defineEvent } from '../event.ts';
import { reading } from '../locales.ts';
import { staffRoles } from '../staff.ts';

const person = { email: z.string(), firstName: z.string(), lastName: z.string(), ...reading };
const role = z.enum(['retail', 'trade', ...staffRoles]);

/** A one-time code to put into a mail. It is encrypted so that only engagement can read it (compact JWE). */
const sealedCode = { sealedCode: z.string(), codeExpiresAt: z.iso.datetime() };

/**
 * The secret for the link that undoes the change, encrypted so that only engagement can read it (compact JWE). Missing
 * if the change can't be undone by a link.
 */
const wayBack = { sealedCode: z.string().optional(), linkExpiresAt: z.iso.datetime().optional() };

/** The data of a business that are printed on its invoices. */
const business = z.object({
  name: z.string(),
  address: z.string(),
  vatNumber: z.string().nullable(),
  country: z
    .string()
    .nullable()
    .meta({ description: 'ISO 3166-1 alpha-2; null while it is not known. It is known of all that were approved.' }),
});

/** The time of the registration. The mail shows it, because somebody else may have registered with this email. */
const registeredAt = z.iso.datetime();

export const userRegistered = defineEvent(
  'identity.user-registered',
  'A retail registration begins (sequence 1), or its code is sent again.',
  z.object({ ...person, ...sealedCode, registeredAt }),
);

export const userVerified = defineEvent(
  'identity.user-verified',
  'Somebody proved that the email is theirs.',
  z.object({ ...person, role }),
);

export const userChanged = defineEvent(
  'identity.user-changed',
  'A user changed a name, the language or the time zone of the account.',
  z.object(person),
);

export const userSnapshot = defineEvent(
  'identity.user-snapshot',
  'The present state of a user, published again by `republish` so that copies can be rebuilt. It sends no message. `isApproved` is about trade accounts: whether one is approved and not suspended.',
  z.object({ ...person, role, isApproved: z.boolean().optional(), business: business.optional() }),
);

export const tradeAccountRegistered = defineEvent(
  'identity.trade-account-registered',
  'A business begins to apply for a trade account, or its code is sent again (`codeOnly`).',
  z.object({
    ...person,
    ...sealedCode,
    businessName: z.string(),
    codeOnly: z.boolean(),
    registeredAt,
    appliesAgain: z
      .boolean()
      .meta({ description: 'Whether an applicant who was rejected or asked for more applies once more.' }),
  }),
);

export const tradeAccountSubmitted = defineEvent(
  'identity.trade-account-submitted',
  'An application for a trade account waits for staff: its email is verified.',
  z.object({ ...person, businessName: z.string() }),
);

const decided = z.object({
  ...person,
  businessName: z.string(),
  reason: z.string().nullable(),
  business,
  submittedAt: z.iso.datetime().meta({ description: 'When the application that was decided was submitted.' }),
});

export const tradeAccountApproved = defineEvent('identity.trade-account-approved', 'Staff approved it.', decided);
export const tradeAccountRejected = defineEvent('identity.trade-account-rejected', 'Staff rejected it.', decided);
export const tradeAccountInfoRequested = defineEvent(
  'identity.trade-account-info-requested',
  'Staff ask the applicant for more.',
  decided,
);
export const tradeAccountSuspended = defineEvent('identity.trade-account-suspended', 'Staff suspended it.', decided);
export const tradeAccountReinstated = defineEvent(
  'identity.trade-account-reinstated',
  'Staff ended the suspension.',
  decided,
);

export const tradeAccountChanged = defineEvent(
  'identity.trade-account-changed',
  'Staff corrected what stands on its invoices. `isApproved`: whether it is approved and not suspended.',
  z.object({ ...person, isApproved: z.boolean(), business }),
);

export const tokensRevoked = defineEvent(
  'identity.tokens-revoked',
  'Tokens of a user are dead: all below `tokenVersion`, or only those of `sessionId`.',
  z.object({
    tokenVersion: z.int(),
    sessionId: z.string().nullable(),
    reason: z.enum([
      'logout',
      'session-ended',
      'ended-by-administrator',
      'refresh-reuse',
      'password-changed',
      'password-reset',
      'suspended',
      'disabled',
      'role-changed',
      'rejected',
      'erased',
      'email-changed',
      'changes-reverted',
    ]),
  }),
);

export const revocationsPublished = defineEvent(
  'identity.revocations-published',
  'Everything revoked before the `checks`, the newest one of each gateway, has been published. Not stored: while its checks are answered, a gateway knows that it missed nothing.',
  z.object({ checks: z.record(z.string(), z.int()) }),
);

export const registrationAttempted = defineEvent(
  'identity.registration-attempted',
  'Somebody registers an email that has an account already.',
  z.object({ ...person, attempted: z.enum(['retail', 'trade']) }),
);

export const loginThrottled = defineEvent(
  'identity.login-throttled',
  'So many logins failed that the next ones have to wait.',
  z.object({ ...person, failures: z.int() }),
);

export const passwordResetRequested = defineEvent(
  'identity.password-reset-requested',
  'Somebody who forgot the password asks for a code and a link.',
  z.object({ ...person, ...sealedCode, linkExpiresAt: z.iso.datetime() }),
);

export const passwordChanged = defineEvent(
  'identity.password-changed',
  'The password is another one now. `factorsDropped`: second factors that were added within 7 days went with a reset.',
  z.object({ ...person, how: z.enum(['change', 'reset']), factorsDropped: z.boolean().optional(), ...wayBack }),
);

/** Only in a repeated request: the services that have not answered yet. All others may ignore the request. */
const waitingFor = z.array(z.string()).optional();

/** Optional: older events do not have it. */
const byStaff = z.boolean().optional().meta({ description: 'An administrator has requested it, not the user.' });

export const userErasureRequested = defineEvent(
  'identity.user-erasure-requested',
  'Every service erases what it keeps about the user, then says so. `registrations` are the subjects of the events that mailed their codes to the email. A repeated request is the same event with `waitingFor`.',
  z.object({ email: z.string(), ...reading, role, registrations: z.array(z.string()).optional(), byStaff, waitingFor }),
);

export const userErased = defineEvent(
  'identity.user-erased',
  'All services have erased the user; the account is gone. What a request that was under way wrote meanwhile goes now.',
  z.object({}),
);

export const userExportRequested = defineEvent(
  'identity.user-export-requested',
  'Every service hands in what it keeps about the user.',
  z.object({ exportId: z.string(), email: z.string(), waitingFor }),
);

export const userExportReady = defineEvent(
  'identity.user-export-ready',
  'All services have handed in their part.',
  z.object({ ...person, exportId: z.string(), byStaff }),
);

export const secondFactorChanged = defineEvent(
  'identity.second-factor-changed',
  'What proves the user besides the password is another one now, or a recovery code was used.',
  z.object({
    ...person,
    change: z.enum([
      'totp-added',
      'totp-removed',
      'passkey-added',
      'passkey-removed',
      'recovery-codes-made',
      'recovery-code-used',
    ]),
    recoveryCodesLeft: z.int(),
    ...wayBack,
  }),
);

export const staffChanged = defineEvent(
  'identity.staff-changed',
  'Somebody became staff, got another role or lost it, was disabled or enabled, or logged out on every device, by an ' +
    'administrator or by command.',
  z.object({
    ...person,
    role: role.meta({ description: 'The role that the user has now.' }),
    change: z.enum(['role-changed', 'disabled', 'enabled', 'sessions-ended']),
    reason: z.string().nullable(),
  }),
);

export const secondFactorGuessed = defineEvent(
  'identity.second-factor-guessed',
  'Ten wrong codes of a second factor in a row: somebody who knows the password may be guessing.',
  z.object({ ...person, tries: z.int() }),
);

export const emailChangeRequested = defineEvent(
  'identity.email-change-requested',
  'A user wants to have another email; `email` is the new one, which the code has to prove.',
  z.object({ ...person, ...sealedCode }),
);

export const emailChangeAttempted = defineEvent(
  'identity.email-change-attempted',
  'Somebody wants to have an email that belongs to another account; `email` is that of the account.',
  z.object({ email: z.string() }),
);

export const emailChanged = defineEvent(
  'identity.email-changed',
  'The user has another email now. The former one gets a link by which that can be undone.',
  z.object({ ...person, previousEmail: z.string(), ...wayBack }),
);

export const changesReverted = defineEvent(
  'identity.changes-reverted',
  'Changes of email, password or second factors were undone by the link in a mail about one of them.',
  z.object({ ...person, previousEmail: z.string(), undone: z.array(z.enum(controlChanges)) }),
);
