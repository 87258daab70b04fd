import type { identityHttp, identityOperations } from '@storefront/contracts';
import { actorOf, newIdFor } from '@storefront/http';
import type { Handlers } from '@storefront/http';
import type { z } from 'zod';
import { readExport } from '../commands/read-export.ts';
import { requestErasure } from '../commands/request-erasure.ts';
import { requestExport } from '../commands/request-export.ts';
import type { UserExport } from '../domain/data-request.ts';
import { deviceOf, setRevokedHeader } from './headers.ts';

type Parts = Parameters<typeof requestErasure>[0] & Parameters<typeof requestExport>[0];

/** The rights of a person over their data: to have it erased, and to get a copy. */
export function userDataHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'eraseMe' | 'exportMe' | 'getMyExport'> {
  return {
    async eraseMe(request, reply) {
      const { caller, body } = request;
      const device = deviceOf(request);
      const { requestedAt, revocation } = await requestErasure(
        parts,
        caller.sub,
        body.password,
        device,
        actorOf(request),
      );
      setRevokedHeader(reply, revocation);
      return { status: 'erasing', requestedAt: requestedAt.toISOString() };
    },

    async exportMe(request, reply) {
      const requested = await requestExport(parts, request.caller.sub, newIdFor(request, 'exp'), actorOf(request));
      void reply.header('location', `/v1/users/me/exports/${requested.exportId}`);
      return showExport(requested);
    },

    async getMyExport({ caller, params }, reply) {
      const found = await readExport(parts, caller.sub, params.id);
      if (found.readyAt !== null)
        void reply.header('content-disposition', `attachment; filename="${found.exportId}.json"`);
      return showExport(found);
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
