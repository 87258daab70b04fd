import type { Calendar } from '@storefront/calendar';
import type { billingHttp, billingOperations } from '@storefront/contracts';
import type { Handlers, SendDocument } from '@storefront/http';
import { csvMediaType, statementCsv, statementPdf, type StatementDocument } from '@storefront/documents';
import type { Account } from '../../domain/account.ts';
import type { AccountReads } from '../store/account-reads.ts';
import type { Shop } from '../../domain/shop.ts';
import {
  ageingOf,
  maxEntries,
  statementOf,
  statementTime,
  type Ageing,
  type Statement,
  type Time,
} from '../domain/statement.ts';
import type { Statements } from '../store/statements.ts';

interface Needs {
  readonly accountReads: Pick<AccountReads, 'get'>;
  readonly statements: Statements;
  readonly calendar: Calendar;
  readonly shop: Shop;
  readonly sendDocument: SendDocument;
  readonly now: () => Date;
}

/** The route for the statement of the calling account, with the amounts that the account owes. */
export function statementHandlers(needs: Needs): Pick<Handlers<typeof billingOperations>, 'getStatement'> {
  const { accountReads, calendar, shop, sendDocument, now } = needs;
  return {
    async getStatement({ caller, query }, reply) {
      const time = statementTime(query);
      const account = (await accountReads.get(caller.sub)).state;
      const { statement, ageing } = await read(needs, account, time);
      if (query.format === 'json') return show(account, statement, ageing, shop.currency);

      const madeAt = now();
      const document: StatementDocument = {
        ...statement,
        buyer: account.buyer,
        seller: shop.seller,
        currency: shop.currency,
        madeAt: madeAt.toISOString(),
        madeOn: calendar.dayOf(madeAt),
        ageing,
      };
      const name = `statement-${time.from}-${time.to}`;
      const csv = { name: `${name}.csv`, mediaType: csvMediaType };
      const pdf = { name: `${name}.pdf`, mediaType: 'application/pdf' };
      return query.format === 'csv'
        ? sendDocument(reply, { ...csv, disposition: 'attachment' }, () => statementCsv(document, query.dialect))
        : sendDocument(reply, { ...pdf, disposition: 'inline' }, () => statementPdf(document));
    },
  };
}

async function read(
  { statements, calendar, now }: Needs,
  { id, unused }: Account,
  time: Time,
): Promise<{ readonly statement: Statement; readonly ageing: Ageing }> {
  const [from, to] = [calendar.startOf(time.from), calendar.startOf(time.to)];
  const [entries, before, owed] = await Promise.all([
    statements.entries(id, from, to, maxEntries + 1),
    statements.balanceAt(id, from),
    statements.owed(id),
  ]);
  return {
    statement: statementOf(time, entries, before, calendar),
    ageing: ageingOf(owed, unused, calendar.dayOf(now())),
  };
}

function show(
  { id: accountId }: Account,
  { from, to, opening, entries, closing }: Statement,
  ageing: Ageing,
  currency: string,
): billingHttp.StatementBody {
  const money = (amount: number) => ({ amount, currency });
  return {
    accountId,
    from,
    to,
    currency,
    opening: money(opening),
    entries: entries.map(({ at, on, kind, number, id, amount, balance }) => ({
      at: at.toISOString(),
      on,
      kind,
      number,
      id,
      amount: money(amount),
      balance: money(balance),
    })),
    closing: money(closing),
    ageing: {
      notDue: money(ageing.notDue),
      days1To30: money(ageing.days1To30),
      days31To60: money(ageing.days31To60),
      days61To90: money(ageing.days61To90),
      over90: money(ageing.over90),
      credit: money(ageing.credit),
    },
  };
}
