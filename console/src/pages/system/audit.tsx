import type { AuditEntry } from '@storefront/client';
import { api, mayCall } from '../../api/client.ts';
import { dateTime } from '../../format.ts';
import { t } from '../../language/index.ts';
import { A, Badge, PageHead } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { useRole } from '../../shell/session.ts';
import { SystemTabs } from './tabs.tsx';

const pages: Readonly<Record<string, string>> = {
  user: '/people',
  order: '/orders',
  product: '/catalog',
  campaign: '/campaigns',
  payment: '/invoices/payments',
  delivery: '/deliveries',
};

/** Who did what to which thing. */
export function Audit() {
  const role = useRole();
  return (
    <>
      <PageHead title={t.system.audit} sub={t.system.auditSub} />
      <SystemTabs current="/system/audit" />
      <DataTable<AuditEntry, Parameters<typeof api.audit.listAudit>[0]>
        list={api.audit.listAudit}
        label={t.system.audit}
        keyOf={({ id }) => id}
        columns={[
          { title: t.when, cell: ({ at }) => dateTime(at) },
          { title: t.system.action, cell: ({ action }) => <code>{action}</code> },
          {
            title: t.system.outcome,
            cell: ({ outcome, reason }) => (
              <span title={reason ?? undefined}>
                <Badge value={outcome} />
              </span>
            ),
          },
          {
            title: t.system.who,
            cell: ({ who }) =>
              who.userId && mayCall('getUser', role) ? (
                <A to={`/people/${who.userId}`}>{t.roles[who.role as keyof typeof t.roles] ?? who.role}</A>
              ) : (
                who.role
              ),
          },
          {
            title: t.system.object,
            cell: ({ object: { type, id } }) => {
              const page = pages[type];
              return id !== null && page !== undefined ? (
                <A to={`${page}/${id}`}>{`${type} ${id.slice(0, 14)}…`}</A>
              ) : (
                `${type} ${id ?? ''}`
              );
            },
          },
          { title: t.system.address, cell: ({ who }) => who.ip ?? '–' },
          {
            title: t.system.details,
            cell: ({ details }) => (
              <span className="muted">
                {Object.entries(details)
                  .map(([name, value]) => `${name}: ${String(value)}`)
                  .join(', ')}
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
