import { idFromUuid, identityHttp } from '@storefront/contracts';
import { callerOf, seedOf } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { z } from 'zod';
import type { AppParts } from './app-parts.ts';
import type { Export } from '../domain/data-request.ts';
import { requestErasure } from '../domain/erase.ts';
import { askForExport, readExport } from '../domain/export.ts';
import { tellRevoked } from './answers.ts';

const tags = ['users'];

/** What the law lets everybody ask for: a copy of their data, and its end. */
export function userDataRoutes(app: App, { identity }: AppParts): void {
  app.delete(
    '/v1/users/me',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Erase everything about me',
        description:
          'Needs the current password. All tokens die at once and nobody can log in any more; when every service has erased its part the account is gone, and its email can register anew.',
        operationId: 'eraseMe',
        body: identityHttp.erasure,
        response: { 202: identityHttp.erasing },
      },
    },
    async (request, reply) => {
      const { requestedAt, revocation } = await requestErasure(identity, callerOf(request).sub, request.body.password);
      tellRevoked(reply, revocation);
      return reply.code(202).send({ status: 'erasing', requestedAt: requestedAt.toISOString() });
    },
  );

  app.post(
    '/v1/users/me/export',
    {
      config: { access: 'user', idempotent: true },
      schema: {
        tags,
        summary: 'Ask for a copy of everything about me',
        description:
          'A mail says when it is ready. While one is being made, asking again answers that one; a new one replaces the last one.',
        operationId: 'exportMe',
        response: { 202: identityHttp.userExport },
      },
    },
    async (request, reply) => {
      const seed = seedOf(request);
      const exportId = seed === undefined ? identity.newId('exp') : idFromUuid('exp', seed);
      const asked = await askForExport(identity, callerOf(request).sub, exportId);
      return reply.code(202).header('location', `/v1/users/me/exports/${asked.exportId}`).send(exportBody(asked));
    },
  );

  app.get(
    '/v1/users/me/exports/:id',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'How far a copy of my data is, and the copy itself',
        description: 'Kept for 7 days.',
        operationId: 'getMyExport',
        params: identityHttp.userExportParams,
        response: { 200: identityHttp.userExport },
      },
    },
    async (request, reply) => {
      const found = await readExport(identity, callerOf(request).sub, request.params.id);
      if (found.readyAt !== null)
        void reply.header('content-disposition', `attachment; filename="${found.exportId}.json"`);
      return exportBody(found);
    },
  );
}

function exportBody(found: Export): z.infer<typeof identityHttp.userExport> {
  return {
    id: found.exportId,
    status: found.readyAt === null ? 'pending' : 'ready',
    requestedAt: found.requestedAt.toISOString(),
    readyAt: found.readyAt?.toISOString() ?? null,
    expiresAt: found.expiresAt.toISOString(),
    data: found.readyAt === null ? null : found.parts,
  };
}
