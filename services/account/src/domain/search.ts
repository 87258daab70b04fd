import { searchForm } from '@storefront/contracts';
import { writtenForms } from './phone.ts';

const maxQueryTokens = 10;

/** The words of a text in the form of searches: letters and digits alone. */
export function tokensOf(text: string): string[] {
  return [...new Set(searchForm(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])];
}

/** All that a saved recipient is found by. */
export function searchTokens(person: {
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
}): string[] {
  const { firstName, lastName, email, phone } = person;
  const words = tokensOf([firstName, lastName, email ?? ''].join(' '));
  return [...new Set([...words, ...(phone === null ? [] : writtenForms(phone))])];
}

/** The beginnings of words that a query asks for; a phone number, however it is spaced, is one of them. */
export function queryTokens(query: string): string[] {
  const isPhone = /^[\d\s()+./-]+$/.test(query) && /\d/.test(query);
  return isPhone ? [query.replaceAll(/\D/g, '')] : tokensOf(query).slice(0, maxQueryTokens);
}
