import { addDays, type Calendar, type Day } from '@storefront/calendar';
import { billingErrors, invalidFields, type FieldError } from '@storefront/contracts';
import type { Entry } from '../../domain/books.ts';

/** Days from `from` on and before `to`. */
export interface Time {
  readonly from: Day;
  readonly to: Day;
}

/** The most entries of a statement: a longer one would take too long to make. */
export const maxEntries = 5000;
const longestDays = 400;

/** The requested time. Throws where it is empty, or longer than 400 days. */
export function statementTime({ from, to }: Time): Time {
  if (to <= from) throw invalidFields([inQuery('invalid_value', 'must be after `from`')]);
  if (Date.parse(to) > Date.parse(from) + longestDays * dayMs)
    throw invalidFields([inQuery('too_big', `must be at most ${longestDays} days after \`from\``)]);
  return { from, to };
}

const dayMs = 24 * 60 * 60 * 1000;

function inQuery(code: string, message: string): FieldError {
  return { pointer: '/to', in: 'query', code, message };
}

/** The amounts owed, by how long they are overdue, and the account's credit. Amounts are in minor units. */
export interface Ageing {
  readonly notDue: number;
  readonly days1To30: number;
  readonly days31To60: number;
  readonly days61To90: number;
  readonly over90: number;
  readonly credit: number;
}

/** The sum owed of the invoices that are due on one day. */
export interface Owed {
  readonly dueOn: Day;
  readonly balance: number;
}

/** An invoice is overdue from the day after the one on which it is due. */
export function ageingOf(owed: readonly Owed[], credit: number, today: Day): Ageing {
  const [thirty, sixty, ninety] = [addDays(today, -30), addDays(today, -60), addDays(today, -90)];
  const sum = (isIn: (dueOn: Day) => boolean) =>
    owed.reduce((total, { dueOn, balance }) => (isIn(dueOn) ? total + balance : total), 0);
  return {
    notDue: sum((dueOn) => dueOn >= today),
    days1To30: sum((dueOn) => dueOn < today && dueOn >= thirty),
    days31To60: sum((dueOn) => dueOn < thirty && dueOn >= sixty),
    days61To90: sum((dueOn) => dueOn < sixty && dueOn >= ninety),
    over90: sum((dueOn) => dueOn < ninety),
    credit,
  };
}

/** What changed the balance of an account in some time. */
export interface Statement extends Time {
  readonly opening: number;
  readonly entries: readonly (Entry & { readonly on: Day })[];
  readonly closing: number;
}

/**
 * The statement of all entries of a time, in the order of the journal. `before` is the balance before the time; it is read from the first
 * entry where there is one. Throws where there are more than 5,000.
 */
export function statementOf(time: Time, entries: readonly Entry[], before: number, calendar: Calendar): Statement {
  if (entries.length > maxEntries) throw billingErrors.statementTooLong(maxEntries);
  const [first] = entries;
  const opening = first ? first.balance - first.amount : before;
  return {
    ...time,
    opening,
    entries: entries.map((entry) => ({ ...entry, on: calendar.dayOf(entry.at) })),
    closing: entries.at(-1)?.balance ?? opening,
  };
}
