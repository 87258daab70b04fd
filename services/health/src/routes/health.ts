import type { healthHttp } from '@storefront/contracts';
import type { Cursors, Handlers } from '@storefront/http';
import { uptimePercent, type Watched } from '../domain/uptime.ts';
import type { Overview } from '../probes/overview.ts';
import type { History, Incident } from '../store/history.ts';

const day = 24 * 60 * 60 * 1000;

export function healthHandlers(parts: {
  overview: Overview;
  history: History;
  cursors: Cursors;
  now: () => Date;
}): Handlers<typeof healthHttp.readinessOperations> {
  const { overview, history, cursors, now } = parts;
  return {
    async getReadiness(_request, reply) {
      const readiness = await overview.read();
      void reply.header('cache-control', 'no-store');
      if (readiness.status === 'not-ready') void reply.code(503).header('retry-after', '1');
      return readiness;
    },

    async listIncidents({ caller, query }) {
      const { service } = query;
      const at = now();
      const [page, watched] = await Promise.all([
        cursors.page(
          { list: 'incidents', owner: caller.sub, query },
          (slice) => history.list({ service }, slice),
          (incident) => showIncident(incident, at),
        ),
        history.watched({ service }, new Date(at.getTime() - 30 * day)),
      ]);
      const uptime = Object.fromEntries([...watched].map(([name, seen]) => [name, showUptime(seen, at)]));
      return { ...page, uptime };
    },
  };
}

function showIncident(incident: Incident, at: Date): healthHttp.IncidentBody {
  const until = incident.endedAt ?? at;
  return {
    id: incident.id,
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
