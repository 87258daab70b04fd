import { z } from 'zod';
import { identityErrors } from '../../errors/identity.ts';
import { idSchema } from '../../ids.ts';
import { emailAddress, enteredEmail, line, shownEmail, text, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { deviceToken, password, tokenPairWithUser } from './login.ts';
import { businessCountry, phone } from './user.ts';

/** A one-time code from a mail. */
export const code = z
  .string()
  .trim()
  .regex(/^(?:\d{6}|[\w-]{43})$/, { error: 'must be 6 digits, or the 43 characters of a long code' })
  .meta({
    description: 'The 6 digits from the mail, or the 43 characters where the mail has a long code.',
    examples: ['493027'],
  });

const registrationId = idSchema('reg').meta({
  description: 'Identifies the registration. It is secret: only with it, or with the password, a code is valid.',
});

/** The fields that prove that the caller made the registration: either `registrationId`, or `email` and `password`. */
const registrationSecret = {
  registrationId: registrationId.optional(),
  email: emailAddress.optional(),
  password: password
    .optional()
    .meta({ description: 'With `email`, in place of `registrationId`: on a device that does not have it.' }),
};

type Secret = { readonly [Name in keyof typeof registrationSecret]?: string | undefined };

/** Adds an error for each wrong field of the secret. Either `registrationId` or both other fields are required. */
function checkSecret({ registrationId: id, ...other }: Secret, context: z.core.$RefinementCtx): void {
  for (const name of ['email', 'password'] as const) {
    if (id === undefined && other[name] === undefined)
      context.addIssue({
        code: 'invalid_type',
        expected: 'string',
        input: undefined,
        path: [name],
        message: 'Send registrationId, or email and password: received undefined',
      });
    if (id !== undefined && other[name] !== undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'must not be sent together with registrationId' });
  }
}

const person = {
  email: enteredEmail,
  password: password.meta({ description: 'At least 8 characters, unless the service is configured otherwise.' }),
  firstName: line(100).meta({ examples: ['Ada'] }),
  lastName: line(100).meta({ examples: ['Lovelace'] }),
};

export const retailRegistration = z.strictObject({ ...person, phone: phone.optional() }).meta({
  id: 'RetailRegistration',
  examples: [
    {
      email: 'ada@example.com',
      password: 'a quiet lake in the morning',
      firstName: 'Ada',
      lastName: 'Lovelace',
    },
  ],
});

export const verificationRequired = z
  .object({
    status: z.literal('verification-required'),
    registrationId,
    email: shownEmail,
    expiresAt: timestamp.meta({ description: 'When the code expires.' }),
    resendAfter: timestamp.meta({ description: 'From then on another code can be requested.' }),
  })
  .meta({ id: 'VerificationRequired' });

export const tradeRegistration = z
  .strictObject({
    ...person,
    phone,
    businessName: line(200).meta({ examples: ['Analytical Engines Ltd'] }),
    businessAddress: text(500).meta({ examples: ['12 St James Square\nLondon'] }),
    referralCode: line(64)
      .optional()
      .meta({ description: 'The code of who recommended the shop.', examples: ['FRIENDS-2026'] }),
    vatNumber: line(32)
      .optional()
      .meta({ examples: ['NL123456789B01'] }),
    companyRegistration: line(64)
      .optional()
      .meta({ description: 'The number in the trade register.', examples: ['12345678'] }),
    country: businessCountry,
  })
  .meta({
    id: 'TradeRegistration',
    examples: [
      {
        email: 'ada@engines.example.com',
        password: 'a quiet lake in the morning',
        firstName: 'Ada',
        lastName: 'Lovelace',
        phone: '+31 20 123 4567',
        businessName: 'Analytical Engines Ltd',
        businessAddress: '12 St James Square\nLondon',
        vatNumber: 'NL123456789B01',
      },
    ],
  });

export const tradeRegistrationReceived = z
  .object({
    status: z.literal('pending-approval'),
    registrationId,
    email: shownEmail,
    businessName: z.string(),
    submittedAt: timestamp,
  })
  .meta({ id: 'TradeRegistrationReceived' });

/** The answer to a verified trade application, which waits for its approval. */
export const tradeApplicationSubmitted = tradeRegistrationReceived
  .omit({ registrationId: true })
  .meta({ id: 'TradeApplicationSubmitted' });

export const verified = z.union([tokenPairWithUser, tradeApplicationSubmitted]).meta({
  id: 'Verified',
  description: 'Of a retail account the tokens of its first session; of a trade application only that it waits.',
});

export const verification = z
  .strictObject({ ...registrationSecret, code, deviceToken: deviceToken.optional() })
  .superRefine(checkSecret)
  .meta({
    id: 'Verification',
    description: '`registrationId` or, on another device, `email` and `password`; and the code.',
    examples: [{ registrationId: 'reg_4k2v9x0m7d8r3tq5w1zc6b0hne', code: '493027' }],
  });

export const resendRequest = z
  .strictObject(registrationSecret)
  .superRefine(checkSecret)
  .meta({
    id: 'ResendRequest',
    description: '`registrationId` or, on another device, `email` and `password`.',
    examples: [{ registrationId: 'reg_4k2v9x0m7d8r3tq5w1zc6b0hne' }],
  });

export const emailOnly = z
  .strictObject({ email: emailAddress })
  .meta({ id: 'EmailOnly', examples: [{ email: 'ada@example.com' }] });

export const accepted = z.object({ status: z.literal('accepted') }).meta({ id: 'Accepted' });

const tags = ['auth'];

export const registrationOperations = operationsOf(
  operation({
    id: 'register',
    method: 'POST',
    path: '/v1/auth/register',
    access: 'public',
    idempotent: true,
    budget: 'auth',
    tags,
    summary: 'Register a retail account',
    description:
      'Sends a code to the email; `POST /v1/auth/verify` completes the registration within 24 hours. Others may ' +
      'register the same email: each registration has its own code, and the first one that is verified gets the ' +
      'email. The answer is the same whether the email has an account or not; its owner is informed by mail. Mails are ' +
      'in the language that `Accept-Language` asks for, where the shop writes it (`en`, `de`).',
    body: retailRegistration,
    responses: { 202: verificationRequired },
    errors: [identityErrors.tooManyCodes],
  }),
  operation({
    id: 'registerTrade',
    method: 'POST',
    path: '/v1/auth/trade/register',
    access: 'public',
    idempotent: true,
    budget: 'auth',
    tags,
    summary: 'Apply for a trade account',
    description:
      'Sends a code to the email. Once it is verified, staff approve or reject the application. A ' +
      'rejected applicant may apply again. The answer is the same whether the email has an account or not; its owner ' +
      'is informed by mail. Mails are in the language that `Accept-Language` asks for, where the shop writes it.',
    body: tradeRegistration,
    responses: { 201: tradeRegistrationReceived },
    errors: [identityErrors.tooManyCodes],
  }),
  operation({
    id: 'verifyEmail',
    method: 'POST',
    path: '/v1/auth/verify',
    access: 'public',
    budget: 'auth',
    tags,
    summary: 'Verify an email by its code, and log in',
    description:
      'The code of one registration is valid for no other. A retail account is logged in: the answer has its tokens. ' +
      'A trade application gets no tokens before its approval: the answer has `status`, which is `pending-approval`.',
    body: verification,
    responses: { 200: verified },
    errors: [identityErrors.invalidCode, identityErrors.mfaRequired],
  }),
  operation({
    id: 'resendCode',
    method: 'POST',
    path: '/v1/auth/verify/resend',
    access: 'public',
    idempotent: true,
    budget: 'auth',
    tags,
    summary: 'Send the verification code again',
    description:
      'At most once a minute and five times an hour. Beyond that nothing is sent; the answer is the same in all cases.',
    body: resendRequest,
    responses: { 202: accepted },
  }),
);
