import { identityHttp } from '@storefront/contracts';
import { seedOf } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { apply, register, resend, verify } from '../domain/sign-up.ts';
import { deviceOf, userBody } from './answers.ts';
import { evenly, refuseEvenly } from './even-timing.ts';

const tags = ['auth'];

export function registrationRoutes(app: App, { identity }: AppParts): void {
  app.post(
    '/v1/auth/register',
    {
      config: { access: 'public', idempotent: true },
      schema: {
        tags,
        summary: 'Register as a consumer',
        description: 'Answers the same whether the email is known or not; its owner hears of it by mail.',
        operationId: 'register',
        body: identityHttp.retailRegistration,
        response: { 202: identityHttp.verificationRequired },
      },
    },
    async (request, reply) => {
      const { phone = null, ...form } = request.body;
      const times = await evenly(() => register(identity, { ...form, phone }, seedOf(request)));
      return reply.code(202).send({
        status: 'verification-required',
        email: form.email,
        expiresAt: times.expiresAt.toISOString(),
        resendAfter: times.resendAfter.toISOString(),
      });
    },
  );

  app.post(
    '/v1/auth/trade/register',
    {
      config: { access: 'public', idempotent: true },
      schema: {
        tags,
        summary: 'Apply for a trade account',
        description: 'Answers the same whether the email is known or not; its owner hears of it by mail.',
        operationId: 'registerTrade',
        body: identityHttp.tradeRegistration,
        response: { 201: identityHttp.tradeRegistrationReceived },
      },
    },
    async (request, reply) => {
      const { email, password, firstName, lastName, phone, ...given } = request.body;
      const details = {
        businessName: given.businessName,
        businessAddress: given.businessAddress,
        referralCode: given.referralCode ?? null,
        vatNumber: given.vatNumber ?? null,
        companyRegistration: given.companyRegistration ?? null,
      };
      const person = { email, password, firstName, lastName, phone };
      const { submittedAt } = await evenly(() => apply(identity, person, details, seedOf(request)));
      return reply.code(201).send({
        status: 'pending-approval',
        email,
        businessName: details.businessName,
        submittedAt: submittedAt.toISOString(),
      });
    },
  );

  app.post(
    '/v1/auth/verify',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Prove an email by its code, and log in',
        operationId: 'verifyEmail',
        body: identityHttp.verification,
        response: { 200: identityHttp.tokenPairWithUser },
      },
    },
    async (request) => {
      const { email, code } = request.body;
      const { tokens, user } = await refuseEvenly(() => verify(identity, email, code, deviceOf(request)));
      return { ...tokens, user: userBody(user) };
    },
  );

  app.post(
    '/v1/auth/verify/resend',
    {
      config: { access: 'public', idempotent: true },
      schema: {
        tags,
        summary: 'Send the code again',
        description:
          'At most once a minute and five times an hour; beyond that nothing is sent and the answer is the same.',
        operationId: 'resendCode',
        body: identityHttp.emailOnly,
        response: { 202: identityHttp.accepted },
      },
    },
    async (request, reply) => {
      await evenly(() => resend(identity, request.body.email));
      return reply.code(202).send({ status: 'accepted' });
    },
  );
}
