import { healthHttp } from '@storefront/contracts';
import { toPage } from '@storefront/service-kit';
import type { App, Cursors } from '@storefront/service-kit';
import { uptimePercent } from '../domain/uptime.ts';
import type { Watched } from '../domain/uptime.ts';
import type { History, Incident } from '../store/history.ts';

const day = 24 * 60 * 60 * 1000;

export function historyRoute(app: App, parts: { history: History; cursors: Cursors; now: () => Date }): void {
  const { history, cursors, now } = parts;
  app.get(
    '/v1/health/history',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['health'],
        operationId: 'listIncidents',
        summary: 'When services were not ready, and how much of the time they were',
        querystring: healthHttp.historyQuery,
        response: { 200: healthHttp.healthHistory },
      },
    },
    async (request) => {
      const { limit, cursor, service } = request.query;
      const owner = service ?? '';
      const at = now();
      const [incidents, watched] = await Promise.all([
        history.list({ service }, limit + 1, cursors.read('incidents', owner, cursor)),
        history.watched({ service }, new Date(at.getTime() - 30 * day)),
      ]);
      return {
        ...toPage(
          incidents,
          limit,
          (incident) => showIncident(incident, at),
          (last) => cursors.write('incidents', owner, [last.startedAt.getTime(), last._id]),
        ),
        uptime: Object.fromEntries([...watched].map(([name, seen]) => [name, showUptime(seen, at)])),
      };
    },
  );
}

function showIncident(incident: Incident, at: Date): healthHttp.IncidentBody {
  const until = incident.endedAt ?? at;
  return {
    id: incident._id,
    service: incident.service,
    reason: incident.reason,
    startedAt: incident.startedAt.toISOString(),
    endedAt: incident.endedAt?.toISOString() ?? null,
    durationSeconds: Math.max(0, (until.getTime() - incident.startedAt.getTime()) / 1000),
  };
}

function showUptime(seen: Watched, at: Date): healthHttp.UptimeBody {
  return {
    watchedSince: seen.since.toISOString(),
    last24Hours: uptimePercent(seen, at, day),
    last7Days: uptimePercent(seen, at, 7 * day),
    last30Days: uptimePercent(seen, at, 30 * day),
  };
}
