import type { Delivery, Order, UserDetails } from '@storefront/client';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, mayCall } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { ago, dateTime, money, number } from '../../format.ts';
import { t, wordFor } from '../../language/index.ts';
import { Action, saveFile } from '../../parts/action.tsx';
import {
  A,
  Badge,
  Card,
  Columns,
  Facts,
  LinkButton,
  Loading,
  PageHead,
  Problem,
  Stack,
  Timeline,
  type Tone,
} from '../../parts/basics.tsx';
import { Choice, TextField } from '../../parts/form.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { useRole } from '../../shell/session.ts';

export function Person() {
  const { id = '' } = useParams({ strict: false });
  const role = useRole();
  const { data: user, error } = useRead(api.accounts.getUser, { params: { id } });
  const orders = useRead(api.orders.listOrders, { query: { user: id, limit: 10 } });
  const mails = useRead(api.notifications.listDeliveries, { query: { userId: id, limit: 10 } });
  if (error) return <Problem error={error} />;
  if (!user) return <Loading lines={10} />;
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <>
      <PageHead
        title={name}
        badges={
          <>
            <Badge value={user.role} />
            <Badge value={user.status} />
          </>
        }
        sub={user.email}
      >
        {user.trade && <LinkButton to={`/trade/${id}`}>{t.people.tradeAccount}</LinkButton>}
        {mayCall('changeRole', role) && user.role !== 'trade' && <Role user={user} />}
        {mayCall('exportUser', role) && user.status !== 'erasing' && <Export user={user} />}
        {mayCall('eraseUser', role) && isCustomer(user) && user.status !== 'erasing' && <Erase user={user} />}
      </PageHead>
      <Columns>
        <Stack>
          <Orders orders={orders.data?.data ?? []} />
          <Mails mails={mails.data?.data ?? []} />
        </Stack>
        <Stack>
          <Card title={t.people.profile}>
            <Facts
              of={[
                [
                  t.people.id,
                  <span key="id" className="mono">
                    {user.id}
                  </span>,
                ],
                [t.trade.phone, user.phone],
                [t.trade.emailProved, dateTime(user.emailVerifiedAt)],
                [t.people.since, dateTime(user.createdAt)],
                [t.people.language, user.locale],
                [t.people.timeZone, user.timeZone],
                [t.home.placed, number(user.orders)],
                [t.trade.invoices, number(user.invoices)],
              ]}
            />
          </Card>
          <Card title={t.accountPage.factors}>
            <Facts
              of={[
                [
                  t.methods.totp,
                  user.secondFactors.totp ? t.accountPage.since(dateTime(user.secondFactors.totp.confirmedAt)) : t.none,
                ],
                [t.accountPage.passkeys, user.secondFactors.passkeys.map((key) => key.name).join(', ') || t.none],
                [t.accountPage.codesLeft, String(user.secondFactors.recoveryCodesLeft)],
              ]}
            />
          </Card>
          <Card title={t.people.sessions}>
            {user.sessions.length === 0 && <p className="muted">{t.none}</p>}
            <Timeline
              items={user.sessions.map(({ id: key, device, ip, lastUsedAt }) => ({
                key,
                what: device ?? t.unknownDevice,
                when: `${ip ?? ''} · ${ago(lastUsedAt)}`,
              }))}
            />
          </Card>
        </Stack>
      </Columns>
    </>
  );
}

function Orders({ orders }: { orders: readonly Order[] }) {
  return (
    <Card title={t.pages.orders}>
      {orders.length === 0 && <p className="muted">{t.none}</p>}
      <Timeline
        items={orders.map(({ id, number: shown, status, totals, createdAt }) => ({
          key: id,
          what: (
            <>
              <A to={`/orders/${id}`}>{shown ?? id}</A> <Badge value={status} /> {money(totals.total)}
            </>
          ),
          when: dateTime(createdAt),
        }))}
      />
    </Card>
  );
}

function Mails({ mails }: { mails: readonly Delivery[] }) {
  return (
    <Card title={t.pages.deliveries}>
      {mails.length === 0 && <p className="muted">{t.none}</p>}
      <Timeline
        items={mails.map(({ id, template, status, reason, createdAt }) => ({
          key: id,
          what: (
            <>
              <A to={`/deliveries/${id}`}>{wordFor(template)}</A> <Badge value={status} />
              {reason !== null && <span className="muted"> {wordFor(reason)}</span>}
            </>
          ),
          when: dateTime(createdAt),
        }))}
      />
    </Card>
  );
}

const isCustomer = ({ role }: UserDetails) => role === 'retail' || role === 'trade';

/** Does something that can't be undone, or shows all there is of somebody, once their email or id was typed. */
function NamedAction({
  user,
  id,
  why,
  run,
  ...look
}: {
  user: UserDetails;
  id: 'exportUser' | 'eraseUser';
  why: string;
  run: () => Promise<unknown>;
  title: string;
  icon?: IconName;
  tone?: Tone;
}) {
  const isNamed = (typed: string) =>
    [user.email, user.id].some((name) => name.toLowerCase() === typed.trim().toLowerCase());
  return (
    <Action
      {...look}
      initial={{ typed: '' }}
      fields={({ values, set }) => (
        <>
          <p>{why}</p>
          <TextField
            label={t.people.typeName}
            value={values.typed}
            onChange={(typed) => set('typed', typed)}
            autoComplete="off"
            required
          />
        </>
      )}
      run={async ({ typed }) => {
        if (!isNamed(typed)) throw new Error(t.people.otherName);
        await run();
      }}
      snippet={() => ({ area: 'accounts', id, input: { params: { id: user.id } } })}
    />
  );
}

const longestMs = 60_000;

function Export({ user }: { user: UserDetails }) {
  // Of an export that took longer, so that the next try fetches it in place of another one.
  const [asked, setAsked] = useState<string | null>(null);
  async function run(): Promise<void> {
    const params = { id: user.id };
    const exportId = asked ?? (await api.accounts.exportUser({ params })).id;
    setAsked(exportId);
    for (const until = Date.now() + longestMs; Date.now() < until;) {
      const made = await api.accounts.getUserExport({ params: { ...params, exportId } });
      if (made.status === 'ready') {
        await saveFile(`${exportId}.json`, Promise.resolve(new Response(JSON.stringify(made.data, null, 2))));
        setAsked(null);
        return;
      }
      await new Promise((go) => setTimeout(go, 1000));
    }
    throw new Error(t.people.exportLater);
  }
  return (
    <NamedAction
      user={user}
      id="exportUser"
      title={t.people.export}
      icon="download"
      why={t.people.exportWhy(user.email)}
      run={run}
    />
  );
}

function Erase({ user }: { user: UserDetails }) {
  return (
    <NamedAction
      user={user}
      id="eraseUser"
      title={t.people.erase}
      tone="danger"
      why={t.people.eraseWhy(user.email)}
      run={() => api.accounts.eraseUser({ params: { id: user.id } })}
    />
  );
}

function Role({ user }: { user: UserDetails }) {
  const roles = ['retail', 'support', 'sales', 'marketing', 'catalog', 'admin'] as const;
  const now: (typeof roles)[number] = roles.find((one) => one === user.role) ?? 'retail';
  return (
    <Action
      title={t.people.changeRole}
      verb={t.save}
      initial={{ role: now, reason: '' }}
      fields={({ values, set }) => (
        <>
          <Choice
            label={t.people.role}
            value={values.role}
            onChange={(role) => set('role', role)}
            choices={roles.map((one) => [one, t.roles[one]] as const)}
            pointer="/role"
          />
          <TextField
            label={t.reason}
            value={values.reason}
            onChange={(reason) => set('reason', reason)}
            pointer="/reason"
          />
        </>
      )}
      run={({ role, reason }) =>
        api.staff.changeRole({ params: { id: user.id }, body: { role, ...(reason && { reason }) } })
      }
      snippet={({ role }) => ({ area: 'staff', id: 'changeRole', input: { params: { id: user.id }, body: { role } } })}
    />
  );
}
