import { isProblem, type Incident, type SystemReadiness } from '@storefront/client';
import { api, mayCall } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { dateTime, number } from '../../format.ts';
import { t } from '../../language/index.ts';
import { A, Badge, Card, Grid, Loading, PageHead, Problem, Stack, Facts } from '../../parts/basics.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { useRole } from '../../shell/session.ts';
import { Audit } from './audit.tsx';
import { SystemTabs } from './tabs.tsx';

/** Whether everything runs. Staff who may read no more than the audit log see that. */
export function System() {
  const role = useRole();
  return mayCall('listIncidents', role) ? <State /> : <Audit />;
}

function State() {
  const read = useRead(api.health.getReadiness, {}, { everyMs: 10_000 });
  const error = read.error;
  const data = error ? reportOf(error) : read.data;
  const history = useRead(api.health.listIncidents, { query: { limit: 1 } });
  return (
    <>
      <PageHead
        title={t.pages.system}
        badges={data && <Badge value={data.status} />}
        sub={data && t.system.checked(dateTime(data.checkedAt))}
      />
      <SystemTabs current="/system" />
      <Stack>
        {error && !data && <Problem error={error} />}
        {data ? (
          <Grid>
            {Object.entries(data.services).map(([name, service]) => {
              const uptime = history.data?.uptime[name];
              return (
                <Card key={name} title={name} actions={<Badge value={service.status} />}>
                  <Facts
                    of={[
                      [t.system.database, service.database && milliseconds(service.database)],
                      [
                        t.system.broker,
                        service.broker && (service.broker.ok ? (service.broker.kind ?? t.system.ok) : t.system.away),
                      ],
                      [t.system.outbox, service.outbox && t.system.events(service.outbox.depth ?? 0)],
                      [t.system.consumers, service.consumers && t.system.lag(service.consumers.lag ?? 0)],
                      [
                        t.system.uptime,
                        uptime?.last30Days === undefined || uptime.last30Days === null
                          ? undefined
                          : `${number(uptime.last30Days)} %`,
                      ],
                    ]}
                  />
                </Card>
              );
            })}
          </Grid>
        ) : (
          !error && <Loading />
        )}
        <DataTable<Incident, Parameters<typeof api.health.listIncidents>[0]>
          list={api.health.listIncidents}
          label={t.system.incidents}
          keyOf={({ id }) => id}
          empty={t.system.noIncidents}
          columns={[
            { title: t.system.service, cell: ({ service }) => <strong>{service}</strong> },
            { title: t.reason, cell: ({ reason }) => reason },
            { title: t.system.began, cell: ({ startedAt }) => dateTime(startedAt) },
            {
              title: t.system.ended,
              cell: ({ endedAt }) => (endedAt ? dateTime(endedAt) : <Badge value="open" tone="bad" />),
            },
            { title: t.system.seconds, align: 'end', cell: ({ durationSeconds }) => number(durationSeconds) },
          ]}
        >
          <A to="/system/audit">{t.system.audit}</A>
        </DataTable>
      </Stack>
    </>
  );
}

/** The report comes with the status of an error where a service is not ready. */
function reportOf(error: Error): SystemReadiness | undefined {
  if (!isProblem(error, 'unexpected_answer') || error.status !== 503) return undefined;
  try {
    const report = JSON.parse(error.text ?? '') as Partial<SystemReadiness>;
    return report.services && (report as SystemReadiness);
  } catch {
    return undefined;
  }
}

const milliseconds = ({ ok, milliseconds: took }: { ok: boolean; milliseconds?: number }) =>
  ok ? `${took ?? 0} ms` : t.system.away;
