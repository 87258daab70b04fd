import type { Invoice, TradeAccount as Account } from '@storefront/client';
import { useParams, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, mayCall } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { date, dateTime, money } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import {
  A,
  Badge,
  Button,
  Card,
  Columns,
  Facts,
  Loading,
  PageHead,
  Problem,
  Stack,
  Timeline,
} from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { isDialogOpen, isTyping } from '../../parts/row-keys.ts';
import { useRole } from '../../shell/session.ts';
import { Verdicts } from './verdicts.tsx';
import { Terms } from './terms.tsx';

const waiting = { query: { status: 'pending-approval' as const, limit: 100 } };

export function TradeAccount() {
  const { id = '' } = useParams({ strict: false });
  const role = useRole();
  const { data: account, error } = useRead(api.tradeAccounts.getTradeAccount, { params: { id } });
  const credit = useRead(
    api.invoicesOfAccounts.getCredit,
    { params: { id } },
    { enabled: account?.status === 'approved' || account?.status === 'suspended' },
  );
  const { data: queue } = useRead(api.tradeAccounts.listTradeAccounts, waiting);
  if (error) return <Problem error={error} />;
  if (!account) return <Loading lines={10} />;
  const { trade } = account;
  return (
    <>
      <PageHead
        title={trade.businessName}
        badges={<Badge value={account.status} />}
        sub={`${account.firstName} ${account.lastName} · ${account.email}`}
      >
        <Neighbours ids={queue?.data.map((one) => one.id) ?? []} id={id} />
        {mayCall('approveTradeAccount', role) && <Verdicts account={account} />}
      </PageHead>
      <Columns>
        <Stack>
          <Application account={account} />
          {credit.data && (
            <DataTable<Invoice, { params: { id: string } }>
              list={api.invoicesOfAccounts.listAccountInvoices}
              params={{ id }}
              label={t.trade.invoices}
              keyOf={(invoice) => invoice.id}
              linkOf={(invoice) => `/trade/${id}/invoices/${invoice.id}`}
              empty={t.trade.noInvoices}
              columns={[
                { title: t.orders.number, isName: true, cell: ({ number }) => number },
                { title: t.trade.issued, cell: ({ issuedOn }) => date(issuedOn) },
                { title: t.trade.due, cell: ({ dueOn }) => date(dueOn) },
                { title: t.status, cell: ({ status }) => <Badge value={status} /> },
                { title: t.total, align: 'end', cell: ({ total }) => money(total) },
                { title: t.trade.balance, align: 'end', cell: ({ balance }) => money(balance) },
              ]}
            />
          )}
        </Stack>
        <Stack>
          {credit.data && (
            <Card title={t.trade.credit} actions={mayCall('setCredit', role) && <Terms credit={credit.data} />}>
              <Facts
                of={[
                  [t.trade.limit, credit.data.limit ? money(credit.data.limit) : t.trade.noLimit],
                  [t.trade.outstanding, money(credit.data.outstanding)],
                  [t.trade.overdue, money(credit.data.overdue)],
                  [t.trade.available, credit.data.available ? money(credit.data.available) : '–'],
                  [t.trade.terms, t.trade.days(credit.data.termsDays)],
                  [t.trade.hold, credit.data.hold ? wordFor(credit.data.holdReason ?? 'true') : t.values.false],
                ]}
              />
            </Card>
          )}
          <Card title={t.timeline}>
            <Timeline
              items={trade.timeline.toReversed().map(({ at, by, action, reason }, index) => ({
                key: `${at}-${index}`,
                what: <strong>{wordFor(action)}</strong>,
                when: dateTime(at),
                more: (
                  <>
                    {reason !== null && <p>{reason}</p>}
                    {by !== account.id && mayCall('listUsers', role) && <A to={`/people/${by}`}>{t.trade.byWhom}</A>}
                  </>
                ),
              }))}
            />
          </Card>
        </Stack>
      </Columns>
    </>
  );
}

function Application({ account: { trade, phone, emailVerifiedAt } }: { account: Account }) {
  return (
    <Card title={t.trade.application}>
      <Facts
        of={[
          [t.trade.business, trade.businessName],
          [t.trade.address, trade.businessAddress],
          [t.trade.country, trade.country],
          [t.trade.vat, trade.vatNumber],
          [t.trade.registration, trade.companyRegistration],
          [t.trade.referral, trade.referralCode ?? undefined],
          [t.trade.phone, phone],
          [t.trade.emailProved, dateTime(emailVerifiedAt)],
          [t.trade.submitted, dateTime(trade.submittedAt)],
        ]}
      />
    </Card>
  );
}

/** The next and the previous application of the queue, also by `j` and `k`. */
function Neighbours({ ids, id }: { ids: readonly string[]; id: string }) {
  const router = useRouter();
  const at = ids.indexOf(id);
  const [before, after] = at === -1 ? [undefined, ids[0]] : [ids[at - 1], ids[at + 1]];
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTyping(event) || isDialogOpen()) return;
      // Of an account that does not wait, the same keys go through its invoices.
      const to = at === -1 ? undefined : event.key === 'j' ? after : event.key === 'k' ? before : undefined;
      if (to) void router.navigate({ to: `/trade/${to}` });
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [at, before, after, router]);
  if (ids.length === 0 || (before === undefined && after === undefined)) return null;
  return (
    <>
      <Button
        icon="previous"
        label={t.trade.previousOne}
        disabled={!before}
        onClick={() => void router.navigate({ to: `/trade/${before}` })}
      />
      <Button
        icon="next"
        label={t.trade.nextOne}
        disabled={!after}
        onClick={() => void router.navigate({ to: `/trade/${after}` })}
      />
    </>
  );
}
