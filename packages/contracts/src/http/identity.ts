import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { emailAddress, line, page, pageQuery, reason, text, timestamp } from './common.ts';

// Length over composition (NIST 800-63B-4); how short is short is the service's own setting. Halves of surrogate pairs
// would all be hashed as the same replacement character.
const password = z
  .string()
  .min(1)
  .max(128)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: 'must not contain control characters' })
  .meta({ format: 'password', examples: ['a quiet lake in the morning'] });
const phone = z
  .string()
  .trim()
  .max(32)
  .regex(/^\+?[0-9 ()./-]{5,32}$/, { error: 'must be a phone number' })
  .meta({ examples: ['+31 20 123 4567'] });
const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, { error: 'must be 6 digits' })
  .meta({ examples: ['493027'] });

export const retailRegistration = z
  .strictObject({
    email: emailAddress,
    password,
    firstName: line(100),
    lastName: line(100),
    phone: phone.optional(),
  })
  .meta({ id: 'RetailRegistration' });

export const verificationRequired = z
  .object({
    status: z.literal('verification-required'),
    email: z.string(),
    expiresAt: timestamp,
    resendAfter: timestamp,
  })
  .meta({ id: 'VerificationRequired' });

export const tradeRegistration = z
  .strictObject({
    email: emailAddress,
    password,
    firstName: line(100),
    lastName: line(100),
    phone,
    businessName: line(200),
    businessAddress: text(500),
    referralCode: line(64).optional(),
    vatNumber: line(32).optional(),
    companyRegistration: line(64).optional(),
  })
  .meta({ id: 'TradeRegistration' });

export const tradeRegistrationReceived = z
  .object({
    status: z.literal('pending-approval'),
    email: z.string(),
    businessName: z.string(),
    submittedAt: timestamp,
  })
  .meta({ id: 'TradeRegistrationReceived' });

export const verification = z.strictObject({ email: emailAddress, code }).meta({ id: 'Verification' });
export const emailOnly = z.strictObject({ email: emailAddress }).meta({ id: 'EmailOnly' });
export const credentials = z.strictObject({ email: emailAddress, password }).meta({ id: 'Credentials' });
export const refreshRequest = z
  .strictObject({
    refreshToken: z
      .string()
      .max(512)
      .regex(/^[\w.-]+$/, { error: 'must be a refresh token' }),
  })
  .meta({ id: 'RefreshRequest' });
export const passwordReset = z
  .strictObject({ email: emailAddress, code, newPassword: password })
  .meta({ id: 'PasswordReset' });
export const passwordChange = z
  .strictObject({ currentPassword: password, newPassword: password })
  .meta({ id: 'PasswordChange' });

export const accepted = z.object({ status: z.literal('accepted') }).meta({ id: 'Accepted' });

const tokens = {
  accessToken: z.string(),
  refreshToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().meta({ description: 'Seconds until the access token ends.' }),
  refreshExpiresIn: z.int().meta({ description: 'Seconds until the refresh token ends.' }),
};

export const tokenPair = z.object(tokens).meta({ id: 'TokenPair' });

export const userStatus = z.enum([
  'unverified',
  'active',
  'pending-approval',
  'info-requested',
  'approved',
  'rejected',
  'suspended',
  'erasing',
]);
export type UserStatus = z.infer<typeof userStatus>;

export const role = z.enum(['retail', 'trade', 'admin']);
export type Role = z.infer<typeof role>;

const tradeDetails = {
  businessName: z.string(),
  businessAddress: z.string(),
  referralCode: z.string().nullable(),
  vatNumber: z.string().nullable(),
  companyRegistration: z.string().nullable(),
  submittedAt: timestamp,
};

const userFields = {
  id: z.string(),
  email: z.string(),
  role,
  status: userStatus,
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string().nullable(),
  emailVerifiedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const user = z.object({ ...userFields, trade: z.object(tradeDetails).optional() }).meta({ id: 'User' });
export type UserBody = z.infer<typeof user>;

export const tokenPairWithUser = z.object({ ...tokens, user }).meta({ id: 'TokenPairWithUser' });

export const profileChange = z
  .strictObject({
    firstName: line(100).optional(),
    lastName: line(100).optional(),
    phone: phone.nullable().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, { error: 'must name at least one field' })
  .meta({ id: 'ProfileChange' });

export const erasure = z.strictObject({ password }).meta({ id: 'Erasure' });
export const erasing = z.object({ status: z.literal('erasing'), requestedAt: timestamp }).meta({ id: 'Erasing' });

export const userExport = z
  .object({
    id: z.string(),
    status: z.enum(['pending', 'ready']),
    requestedAt: timestamp,
    readyAt: timestamp.nullable(),
    expiresAt: timestamp,
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'When it is ready: what each service keeps about the user, by service.' }),
  })
  .meta({ id: 'UserExport' });

export const revoked = z.object({ revoked: z.literal(true), revokedAt: timestamp }).meta({ id: 'Revoked' });

export const session = z
  .object({
    id: z.string(),
    current: z.boolean(),
    device: z.string().nullable(),
    ip: z.string().nullable(),
    createdAt: timestamp,
    lastUsedAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'Session' });
export const sessionPage = page(session).meta({ id: 'SessionPage' });

export const tradeStatus = z.enum(['pending-approval', 'info-requested', 'approved', 'rejected', 'suspended']);

export const timelineEntry = z.object({
  at: timestamp,
  by: z.string().meta({ description: 'The id of the administrator, or of the applicant.' }),
  action: z.enum(['submit', 'approve', 'reject', 'request-info', 'suspend', 'reinstate']),
  reason: z.string().nullable(),
});

export const tradeAccount = z
  .object({ ...userFields, trade: z.object({ ...tradeDetails, timeline: z.array(timelineEntry) }) })
  .meta({ id: 'TradeAccount' });
export const tradeAccountPage = page(tradeAccount).meta({ id: 'TradeAccountPage' });

export const decisionWithReason = z.strictObject({ reason }).meta({ id: 'DecisionWithReason' });
export const decisionMaybeReason = z.strictObject({ reason: reason.optional() }).meta({ id: 'Decision' });

export const sessionQuery = z.strictObject(pageQuery);
export const tradeAccountQuery = z.strictObject({ ...pageQuery, status: tradeStatus.optional() });
export const sessionParams = z.object({ id: idSchema('sess') });
export const userExportParams = z.object({ id: idSchema('exp') });
export const tradeAccountParams = z.object({ id: idSchema('user') });

/** The public signing keys (RFC 7517). */
export const keySet = z
  .object({
    keys: z.array(
      z.object({
        kty: z.string(),
        crv: z.string(),
        x: z.string(),
        kid: z.string(),
        alg: z.string(),
        use: z.string(),
      }),
    ),
  })
  .meta({ id: 'KeySet' });

/** For gateways: every token that was revoked and has not run out by itself, as of a moment. */
export const revocationSnapshot = z.object({
  users: z.array(z.object({ id: z.string(), ver: z.int() })),
  sessions: z.array(z.object({ id: z.string(), until: timestamp })),
  asOf: timestamp,
});
export type RevocationSnapshot = z.infer<typeof revocationSnapshot>;

/** For gateways: what becomes of a token of this user and session right now. */
export const tokenState = z.object({ ver: z.int(), sessionAlive: z.boolean(), status: userStatus });
export type TokenState = z.infer<typeof tokenState>;

export const tokenStateParams = z.object({ userId: idSchema('user'), sessionId: idSchema('sess') });
