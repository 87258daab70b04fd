import { createHash } from 'node:crypto';
import { audited, type engagementHttp, type engagementOperations } from '@storefront/contracts';
import { csvMediaType } from '@storefront/csv';
import { actorOf, answerUnchanged, type Handlers } from '@storefront/http';
import type { AuditNotes } from '@storefront/mongo';
import { makeReport, type ReportNeeds } from '../commands/make-report.ts';
import { requestedReport, type ReportDefaults } from '../domain/reports/report-request.ts';
import { reportCsv } from '../domain/reports/report-csv.ts';

interface Needs extends ReportNeeds {
  readonly reportDefaults: ReportDefaults;
  readonly databaseNow: () => Date;
  readonly auditNotes: AuditNotes;
}

/** Lets staff read reports, as JSON or as CSV. */
export function reportHandlers(needs: Needs): Pick<Handlers<typeof engagementOperations>, 'getAnalyticsReport'> {
  return {
    async getAnalyticsReport(request, reply) {
      const { query } = request;
      const name = request.params.report;
      const requested = requestedReport(name, query, needs.reportDefaults, needs.databaseNow());
      const body = await makeReport(needs, requested);
      if (answerUnchanged(request, reply, etagOf(body, `${query.format} ${query.dialect}`))) return reply;
      if (query.format === 'json') return body;
      const exported = { object: { type: 'report', id: name }, details: { from: body.from, to: body.to } };
      await needs.auditNotes.add(audited('engagement', actorOf(request), 'report-exported', exported));
      return reply
        .header('content-disposition', `attachment; filename="${name}-${body.from}-${body.to}.csv"`)
        .type(csvMediaType)
        .send(reportCsv(name, body, query.dialect));
    },
  };
}

// The etag is weak, because `asOf` changes even when the rest of the report stays the same.
function etagOf({ asOf: _asOf, ...said }: engagementHttp.ReportBody, format: string): string {
  const digest = createHash('sha256').update(format).update(JSON.stringify(said)).digest('base64url');
  return `W/"${digest.slice(0, 22)}"`;
}
