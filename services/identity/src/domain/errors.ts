import { invalidField, Problem, tooMany, unavailable } from '@storefront/service-kit/problem';

/** Wrong, used up, expired, or for an email that nobody has: the answer never tells which. */
export function invalidCode(): Problem {
  return new Problem(400, 'invalid_code', 'The code is not valid. Ask for a new one.');
}

/** A wrong password or an email that nobody has: the answer never tells which. */
export function invalidCredentials(): Problem {
  return new Problem(401, 'invalid_credentials', 'Email or password is wrong.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** The caller is logged in, so this is about a field, not about who they are. */
export function wrongCurrentPassword(pointer = '/currentPassword'): Problem {
  return invalidField(pointer, 'password_wrong', 'is not the current password');
}

export function invalidRefreshToken(): Problem {
  return new Problem(401, 'invalid_refresh_token', 'The refresh token is no longer valid. Log in again.', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}

export function emailNotVerified(): Problem {
  return new Problem(403, 'email_not_verified', 'Prove the email with the code that was sent to it first.');
}

export function accountPendingApproval(): Problem {
  return new Problem(403, 'account_pending_approval', 'The trade account is waiting for an administrator.');
}

export function accountRejected(): Problem {
  return new Problem(403, 'account_rejected', 'The application for a trade account was rejected.');
}

export function accountSuspended(): Problem {
  return new Problem(403, 'account_suspended', 'The account is suspended.');
}

export function invalidTransition(action: string, status: string): Problem {
  return new Problem(409, 'invalid_transition', `An account that is ${status} does not take the action ${action}.`);
}

export function administratorNotErasable(): Problem {
  return new Problem(422, 'administrator_not_erasable', "An administrator's account is not erased by itself.");
}

/** `seconds` until the next try is looked at. */
export function tooManyAttempts(seconds: number): Problem {
  return tooMany('too_many_attempts', 'Too many logins failed. Wait before the next one.', seconds);
}

export function overloaded(): Problem {
  return unavailable('overloaded', 'Too busy to take this request now.', 2);
}
