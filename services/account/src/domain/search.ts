import { searchWords } from '@storefront/contracts';
import { writtenForms } from './phone.ts';

const maxQueryTokens = 10;

/** The words by which a search finds a saved recipient. */
export function searchTokens(person: {
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
}): string[] {
  const { firstName, lastName, email, phone } = person;
  const words = searchWords([firstName, lastName, email ?? ''].join(' '));
  return [...new Set([...words, ...(phone === null ? [] : writtenForms(phone))])];
}

/**
 * The beginnings of words that a query searches for. A query that is a phone number is a single beginning, however the
 * number is spaced.
 */
export function queryTokens(query: string): string[] {
  const isPhone = /^[\d\s()+./-]+$/.test(query) && /\d/.test(query);
  return isPhone ? [query.replaceAll(/\D/g, '')] : searchWords(query).slice(0, maxQueryTokens);
}
