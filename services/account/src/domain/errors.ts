import { invalidField, Problem } from '@storefront/service-kit/problem';

export function defaultRequired(): Problem {
  return new Problem(
    422,
    'default_required',
    'One address is always the default: make another one the default instead.',
  );
}

export function tooManyAddresses(max: number): Problem {
  return new Problem(422, 'too_many_addresses', `There are ${max} addresses already: delete one first.`);
}

export function wishlistFull(max: number): Problem {
  return new Problem(422, 'wishlist_full', `There are ${max} products on the wishlist already: remove one first.`);
}

/** The number is none, or not one of the country that was named with it. */
export function invalidPhone(field: string, country: string | undefined): Problem {
  const message =
    country === undefined
      ? 'must begin with + and a country calling code, since no country is given'
      : `must be a phone number of ${country}, or begin with + and its country calling code`;
  return invalidField(`/${field}`, 'invalid_phone', message);
}
