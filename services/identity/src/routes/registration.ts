import type { identityOperations } from '@storefront/contracts';
import { seedOf } from '@storefront/http';
import type { Handlers } from '@storefront/http';
import { applyForTradeAccount } from '../commands/apply-for-trade-account.ts';
import { resendCode } from '../commands/resend-code.ts';
import { signUp } from '../commands/sign-up.ts';
import { verifyEmail } from '../commands/verify-email.ts';
import { passwordErrors } from '../domain/password-policy.ts';
import type { PasswordRules, PersonalWords } from '../domain/password-policy.ts';
import { deviceOf } from './headers.ts';
import { inRoundedTime, refuseInRoundedTime } from './rounded-time.ts';
import { showUser } from './show-user.ts';

type Parts = Parameters<typeof signUp>[0] &
  Parameters<typeof verifyEmail>[0] & { readonly passwordRules: PasswordRules };

export function registrationHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'register' | 'registerTrade' | 'verifyEmail' | 'resendCode'> {
  const check = ({ password, ...personal }: PersonalWords & { readonly password?: string | undefined }) =>
    password === undefined ? [] : passwordErrors('/password', password, personal, parts.passwordRules);

  return {
    register: {
      check,
      async handle(request) {
        const { phone = null, ...form } = request.body;
        const times = await inRoundedTime(() => signUp(parts, { ...form, phone }, seedOf(request)));
        return {
          status: 'verification-required',
          email: form.email,
          expiresAt: times.expiresAt.toISOString(),
          resendAfter: times.resendAfter.toISOString(),
        };
      },
    },

    registerTrade: {
      check,
      async handle(request) {
        const { email, password, firstName, lastName, phone, ...business } = request.body;
        const form = { email, password, firstName, lastName, phone };
        const details = {
          businessName: business.businessName,
          businessAddress: business.businessAddress,
          referralCode: business.referralCode ?? null,
          vatNumber: business.vatNumber ?? null,
          companyRegistration: business.companyRegistration ?? null,
        };
        const { submittedAt } = await inRoundedTime(() => applyForTradeAccount(parts, form, details, seedOf(request)));
        const { businessName } = details;
        return { status: 'pending-approval', email, businessName, submittedAt: submittedAt.toISOString() };
      },
    },

    async verifyEmail(request) {
      const device = deviceOf(request);
      const { tokens, user } = await refuseInRoundedTime(() => verifyEmail(parts, request.body, device));
      return { ...tokens, user: showUser(user) };
    },

    async resendCode({ body }) {
      await inRoundedTime(() => resendCode(parts, body.email));
      return { status: 'accepted' };
    },
  };
}
