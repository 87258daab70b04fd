import type { StaffMember } from '@storefront/client';
import { api } from '../../api/client.ts';
import { ago } from '../../format.ts';
import { t } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { Badge, PageHead, Row } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/form.tsx';
import { useSession } from '../../shell/session.ts';
import { PeopleTabs } from './people.tsx';

export function Staff() {
  const session = useSession();
  const isMe = (id: string) => session.kind === 'staff' && session.user.id === id;
  return (
    <>
      <PageHead title={t.people.staff} sub={t.people.staffSub} />
      <PeopleTabs current="/people/staff" />
      <DataTable<StaffMember, Parameters<typeof api.staff.listStaff>[0]>
        list={api.staff.listStaff}
        label={t.people.staff}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/people/${id}`}
        columns={[
          { title: t.name, isName: true, cell: ({ firstName, lastName }) => `${firstName} ${lastName}` },
          { title: t.email, cell: ({ email }) => email },
          { title: t.people.role, cell: ({ role }) => t.roles[role] },
          {
            title: t.status,
            cell: ({ status }) => <Badge value={status} tone={status === 'enabled' ? 'good' : 'bad'} />,
          },
          {
            title: t.accountPage.factors,
            cell: ({ totp, passkeys }) =>
              totp || passkeys.length > 0 ? t.values.true : <Badge value="none" tone="warn" />,
          },
          { title: t.people.lastSeen, cell: ({ lastSeenAt }) => (lastSeenAt ? ago(lastSeenAt) : '–') },
          { title: t.more, cell: (member) => !isMe(member.id) && <Actions member={member} /> },
        ]}
      />
    </>
  );
}

function Actions({ member }: { member: StaffMember }) {
  const params = { id: member.id };
  const isOn = member.status === 'enabled';
  return (
    <Row>
      <Action
        title={isOn ? t.people.disable : t.people.enable}
        tone={isOn ? 'danger' : 'plain'}
        initial={{ reason: '' }}
        fields={({ values, set }) => (
          <>
            <p>{isOn ? t.people.disableWhy(member.email) : t.people.enableWhy(member.email)}</p>
            <TextField
              label={t.reason}
              value={values.reason}
              onChange={(reason) => set('reason', reason)}
              required
              pointer="/reason"
            />
          </>
        )}
        run={(body) =>
          isOn ? api.staff.disableStaffMember({ params, body }) : api.staff.enableStaffMember({ params, body })
        }
      />
      {member.sessions > 0 && (
        <Action
          title={t.people.endSessions}
          initial={{}}
          fields={() => <p>{t.people.endSessionsWhy(member.sessions)}</p>}
          run={() => api.staff.endStaffSessions({ params })}
        />
      )}
    </Row>
  );
}
