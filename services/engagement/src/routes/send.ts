import { derivedId, engagementHttp, idFromUuid, newId } from '@storefront/contracts';
import { callerOf, seedOf } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { z } from 'zod';
import type { Delivery, Draft } from '../domain/delivery.ts';
import { obstacle } from '../domain/sending.ts';
import type { Outreach } from '../outreach.ts';

type Wanted = z.output<typeof engagementHttp.notificationToSend>;

export function sendRoutes(app: App, { outreach }: { outreach: Outreach }): void {
  app.post(
    '/v1/notifications',
    {
      config: { access: 'admin', idempotent: true },
      schema: {
        tags: ['notifications'],
        summary: 'Sends a message to one person',
        description:
          'A mail is sent where `email` and `html` are there, an in-app notification where `userId` and `title` are. Anything else is recorded, and the answer says why it was not sent.',
        operationId: 'sendNotification',
        body: engagementHttp.notificationToSend,
        response: { 202: engagementHttp.notificationAccepted },
      },
    },
    async (request, reply) => {
      const seed = seedOf(request);
      const id = seed === undefined ? newId('dlv') : idFromUuid('dlv', seed);
      const { delivery, notificationId } = await send(id, request.body);
      request.log.info({ delivery: id, by: callerOf(request).sub }, 'message requested');
      return reply.code(202).send({ id, status: delivery.status, reason: delivery.reason, notificationId });
    },
  );

  async function send(id: string, wanted: Wanted): Promise<{ delivery: Delivery; notificationId: string | null }> {
    const reason = obstacle(wanted);
    if (reason !== null)
      return { delivery: await keep(id, wanted, { status: 'recorded', reason }), notificationId: null };
    if (wanted.channel === 'EMAIL') {
      const { email = '', html = '' } = wanted;
      const subject = wanted.subject ?? wanted.title ?? 'A message for you';
      const delivery = await outreach.mail(id, {
        to: email,
        userId: wanted.userId ?? null,
        category: wanted.category,
        mail: { template: 'message', data: { subject, html, text: wanted.text ?? null } },
      });
      return { delivery, notificationId: null };
    }
    const { userId = '', category, type, title = '', body = '', data } = wanted;
    const notificationId = derivedId('ntf', id, userId);
    const isShown = await outreach.notify(notificationId, { audience: userId, category, type, title, body, data });
    if (isShown) return { delivery: await keep(id, wanted, { status: 'delivered' }), notificationId };
    const start = { status: 'recorded', reason: 'switched_off_by_user' } as const;
    return { delivery: await keep(id, wanted, start), notificationId: null };
  }

  function keep(id: string, wanted: Wanted, start: Draft['start']): Promise<Delivery> {
    const { channel, category, type, userId = null, email = null } = wanted;
    return outreach.keep({ id, channel, category, template: type, userId, email, mail: null, start });
  }
}
