import {
  http,
  passwordErrors,
  type identityHttp,
  type identityOperations,
  type PersonalWords,
} from '@storefront/contracts';
import { actorOf, seedOf, type Handlers } from '@storefront/http';
import type { z } from 'zod';
import { countryOfBusiness } from '../../domain/business-country.ts';
import type { TradeApplication, User } from '../../domain/user.ts';
import { deviceOf, readingIn, setRevokedHeader } from '../../routes/headers.ts';
import { inRoundedTime, refuseInRoundedTime } from '../../routes/rounded-time.ts';
import { showUser } from '../../routes/show-user.ts';
import type { AccountNeeds } from '../commands/account-needs.ts';
import type { RegistrationSecret } from '../commands/find-registration.ts';
import { register, resendCode } from '../commands/register.ts';
import { verifyEmail } from '../commands/verify-email.ts';

type Entered = Omit<PersonalWords, 'email'> & { readonly email: http.EnteredEmail; readonly password: string };

export function registrationHandlers(
  needs: AccountNeeds,
): Pick<Handlers<typeof identityOperations>, 'register' | 'registerTrade' | 'verifyEmail' | 'resendCode'> {
  const check = ({ email, password, ...names }: Partial<Entered>) => {
    if (password === undefined) return [];
    const personal = { ...names, email: email && http.emailAsTyped(email) };
    return passwordErrors('/password', password, personal, needs.passwordRules);
  };

  return {
    register: {
      check,
      async handle(request) {
        const { email, phone = null, ...person } = request.body;
        const form = { ...person, ...email, phone, ...readingIn(request), trade: null };
        const registered = await inRoundedTime(() => register(needs, form, actorOf(request), seedOf(request)));
        return {
          status: 'verification-required',
          registrationId: registered.registrationId,
          email: http.emailAsTyped(email),
          expiresAt: registered.expiresAt.toISOString(),
          resendAfter: registered.resendAfter.toISOString(),
        };
      },
    },

    registerTrade: {
      check,
      async handle(request) {
        const { email, password, firstName, lastName, phone, ...business } = request.body;
        const { businessName, businessAddress } = business;
        const trade = {
          businessName,
          businessAddress,
          referralCode: business.referralCode ?? null,
          vatNumber: business.vatNumber ?? null,
          companyRegistration: business.companyRegistration ?? null,
          country: countryOfBusiness(business),
        };
        const form = { ...email, password, firstName, lastName, phone, ...readingIn(request), trade };
        const registered = await inRoundedTime(() => register(needs, form, actorOf(request), seedOf(request)));
        const { registrationId, submittedAt } = registered;
        return {
          status: 'pending-approval',
          registrationId,
          email: http.emailAsTyped(email),
          businessName,
          submittedAt: submittedAt.toISOString(),
        };
      },
    },

    async verifyEmail(request, reply) {
      const { code, deviceToken: known = null, ...proof } = request.body;
      const device = deviceOf(request, known);
      return refuseInRoundedTime(async () => {
        const verified = await verifyEmail(needs, { code, ...secretOf(proof) }, device, actorOf(request));
        const { user, revocation } = verified;
        if (revocation) setRevokedHeader(reply, revocation);
        if (user.trade) return showApplication(user, user.trade);
        const { tokens, deviceToken } = await verified.logIn();
        return { ...tokens, deviceToken, user: showUser(user) };
      });
    },

    async resendCode(request) {
      await inRoundedTime(() => resendCode(needs, secretOf(request.body), actorOf(request)));
      return { status: 'accepted' };
    },
  };
}

function showApplication(
  user: User,
  { businessName, submittedAt }: TradeApplication,
): z.input<typeof identityHttp.tradeApplicationSubmitted> {
  return {
    status: 'pending-approval',
    email: http.emailAsTyped(user),
    businessName,
    submittedAt: submittedAt.toISOString(),
  };
}

/** Reads the secret from a request. The schema ensures that the request has either the id, or email and password. */
function secretOf({
  registrationId,
  email = '',
  password = '',
}: z.output<typeof identityHttp.resendRequest>): RegistrationSecret {
  return registrationId === undefined ? { email, password } : { registrationId };
}
