import { Readable } from 'node:stream';
import type { identityHttp, identityOperations } from '@storefront/contracts';
import { actorOf, newIdFor, type Handlers } from '@storefront/http';
import type { z } from 'zod';
import { exportedJson, readExport, readExportByStaff } from '../commands/read-export.ts';
import { requestErasure, requestErasureByStaff } from '../commands/request-erasure.ts';
import { requestExport } from '../commands/request-export.ts';
import type { FastifyReply } from 'fastify';
import type { ErasureStarted } from '../domain/erasure.ts';
import type { UserExport } from '../domain/data-request.ts';
import { deviceOf, setRevokedHeader } from '../../routes/headers.ts';

type Parts = Parameters<typeof requestErasure>[0] &
  Parameters<typeof requestExport>[0] &
  Parameters<typeof readExport>[0];

/** Erasure and export of the data of the caller, and of any user for administrators. */
export function userDataHandlers(
  parts: Parts,
): Pick<
  Handlers<typeof identityOperations>,
  'eraseMe' | 'exportMe' | 'getMyExport' | 'eraseUser' | 'exportUser' | 'getUserExport'
> {
  return {
    async eraseMe(request, reply) {
      const { caller, body } = request;
      const device = deviceOf(request);
      return showErasure(await requestErasure(parts, caller, body.password, device, actorOf(request)), reply);
    },

    async eraseUser(request, reply) {
      const { caller, params } = request;
      return showErasure(await requestErasureByStaff(parts, caller, params.id, actorOf(request)), reply);
    },

    async exportMe(request, reply) {
      const { caller } = request;
      const asked = { userId: caller.sub, exportId: newIdFor(request, 'exp'), by: 'user' } as const;
      const requested = await requestExport(parts, caller, asked, actorOf(request));
      void reply.header('location', `/v1/users/me/exports/${requested.exportId}`);
      return showExport(requested);
    },

    async exportUser(request, reply) {
      const { caller, params } = request;
      const asked = { userId: params.id, exportId: newIdFor(request, 'exp'), by: 'staff' } as const;
      const requested = await requestExport(parts, caller, asked, actorOf(request));
      void reply.header('location', `/v1/users/${params.id}/exports/${requested.exportId}`);
      return showExport(requested);
    },

    getMyExport: async ({ caller, params }, reply) => sendExport(await readExport(parts, caller, params.id), reply),

    async getUserExport(request, reply) {
      const { caller, params } = request;
      const { id: userId, exportId } = params;
      return sendExport(await readExportByStaff(parts, caller, { userId, exportId }, actorOf(request)), reply);
    },
  };

  async function sendExport(found: UserExport, reply: FastifyReply) {
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
  }
}

function showErasure({ requestedAt, revocation }: ErasureStarted, reply: FastifyReply) {
  setRevokedHeader(reply, revocation);
  return { status: 'erasing' as const, requestedAt: requestedAt.toISOString() };
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
