import { Readable } from 'node:stream';
import type { identityHttp, identityOperations } from '@storefront/contracts';
import { actorOf, newIdFor, type Handlers } from '@storefront/http';
import type { z } from 'zod';
import { exportedJson, readExport } from '../commands/read-export.ts';
import { requestErasure } from '../commands/request-erasure.ts';
import { requestExport } from '../commands/request-export.ts';
import type { UserExport } from '../domain/data-request.ts';
import { deviceOf, setRevokedHeader } from '../../routes/headers.ts';

type Parts = Parameters<typeof requestErasure>[0] &
  Parameters<typeof requestExport>[0] &
  Parameters<typeof readExport>[0];

/** Erasure and export of the caller's data. */
export function userDataHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'eraseMe' | 'exportMe' | 'getMyExport'> {
  return {
    async eraseMe(request, reply) {
      const { caller, body } = request;
      const device = deviceOf(request);
      const started = await requestErasure(parts, caller, body.password, device, actorOf(request));
      const { requestedAt, revocation } = started;
      setRevokedHeader(reply, revocation);
      return { status: 'erasing', requestedAt: requestedAt.toISOString() };
    },

    async exportMe(request, reply) {
      const requested = await requestExport(parts, request.caller, newIdFor(request, 'exp'), actorOf(request));
      void reply.header('location', `/v1/users/me/exports/${requested.exportId}`);
      return showExport(requested);
    },

    async getMyExport({ caller, params }, reply) {
      const found = await readExport(parts, caller, params.id);
      if (found.readyAt !== null)
        void reply.header('content-disposition', `attachment; filename="${found.exportId}.json"`);
      if (found.paged === undefined || found.readyAt === null) return showExport(found);
      const data = exportedJson(parts, found);
      // The first chunk is read before the answer begins, so that an unavailable database is still answered by an
      // error.
      const first = await data.next();
      const body = async function* () {
        yield `${JSON.stringify({ ...showExport(found), data: undefined }).slice(0, -1)},"data":${first.value ?? ''}`;
        yield* data;
        yield '}';
      };
      return reply.type('application/json; charset=utf-8').send(Readable.from(body(), { objectMode: false }));
    },
  };
}

function showExport(found: UserExport): z.infer<typeof identityHttp.userExport> {
  return {
    id: found.exportId,
    status: found.readyAt === null ? 'pending' : 'ready',
    requestedAt: found.requestedAt.toISOString(),
    readyAt: found.readyAt?.toISOString() ?? null,
    expiresAt: found.expiresAt.toISOString(),
    data: found.readyAt === null ? null : found.parts,
  };
}
