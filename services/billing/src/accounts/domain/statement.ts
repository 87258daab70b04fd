import { addDays, type Calendar, type Day } from '@storefront/calendar';
import { billingErrors, invalidFields, type FieldError } from '@storefront/contracts';
import type { Entry } from '../../domain/books.ts';

/** A period of days: `from` is the first day, `to` is the day after the last one. */
export interface Time {
  readonly from: Day;
  readonly to: Day;
}

/** The largest number of entries in a statement. A longer statement would take too long to make. */
export const maxEntries = 5000;
const longestDays = 400;

/** Checks the requested period. Throws `validation_failed` if the period is empty or longer than 400 days. */
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

/**
 * The amounts that an account owes, by how many days they are overdue, and the account's credit. All in minor units.
 */
export interface Ageing {
  readonly notDue: number;
  readonly days1To30: number;
  readonly days31To60: number;
  readonly days61To90: number;
  readonly over90: number;
  readonly credit: number;
}

/** The sum that is still owed for all invoices with the same due day, in minor units. */
export interface Owed {
  readonly dueOn: Day;
  readonly balance: number;
}

/** Sorts the owed amounts by how long they are overdue. An invoice is overdue from the day after its due day. */
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

/** All changes of an account's balance in a period, with the balance before and after. Amounts are in minor units. */
export interface Statement extends Time {
  readonly opening: number;
  readonly entries: readonly (Entry & { readonly on: Day })[];
  readonly closing: number;
}

/**
 * Makes the statement of a period. `entries` are all entries of the period, in the order of the journal. `before` is
 * the balance before the period; it is used only if there are no entries. Throws `statement_too_long` if there are more
 * than 5,000 entries.
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
