import type { UserPage } from '@storefront/client';
import { api, mayCall } from '../../api/client.ts';
import { date } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Badge, PageHead, Tabs } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { useRole } from '../../shell/session.ts';

export function PeopleTabs({ current }: { current: string }) {
  const role = useRole();
  if (!mayCall('listStaff', role)) return null;
  return (
    <Tabs
      label={t.pages.people}
      current={current}
      tabs={[
        ['/people', t.people.everybody],
        ['/people/staff', t.people.staff],
        ['/people/api-tokens', t.people.tokens],
      ]}
    />
  );
}

export function People() {
  return (
    <>
      <PageHead title={t.pages.people} sub={t.people.sub} />
      <PeopleTabs current="/people" />
      <DataTable<UserPage['data'][number], Parameters<typeof api.accounts.listUsers>[0]>
        list={api.accounts.listUsers}
        label={t.pages.people}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/people/${id}`}
        columns={[
          { title: t.name, isName: true, cell: ({ firstName, lastName }) => `${firstName} ${lastName}` },
          { title: t.email, cell: ({ email }) => email },
          { title: t.people.role, cell: ({ role }) => <Badge value={role} tone="neutral" /> },
          { title: t.status, cell: ({ status }) => <Badge value={status} /> },
          { title: t.people.since, cell: ({ createdAt }) => date(createdAt) },
        ]}
      />
    </>
  );
}
