import { type engagementHttp, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { expectStatus } from '../system/people.ts';
import { mailTo } from '../../client.ts';
import { id, type Id, type RowsOf } from './row.ts';
import type { Fixtures } from './fixtures.ts';

const message = { channels: ['IN_APP'], title: 'Teapots in spring', body: 'A tenth off all teapots.' };

async function activate({ system, admin: { token } }: Fixtures): Promise<string> {
  const discount = { type: 'percentage', percent: 10, target: 'order' };
  // By code, so that it takes nothing off the carts of other rows.
  const body = { name: 'Teapots in spring', trigger: 'code', discount };
  const made = await expectStatus(system.call('POST', '/v1/campaigns', { token, body }), 201);
  await expectStatus(system.call('POST', `/v1/campaigns/${made.id}/activate`, { token }), 200);
  return made.id as string;
}

const active = id('camp', activate);

/** An announcement that is over, so that it stays as it is. */
const announcement: Id = {
  async own(fixtures) {
    const campaignId = await activate(fixtures);
    const { system, admin } = fixtures;
    const call = { token: admin.token, body: message };
    const begun = await expectStatus(system.call('POST', `/v1/campaigns/${campaignId}/announce`, call), 202);
    await eventually(async () => {
      const path = `/v1/campaigns/${campaignId}/announcements/${begun.id}`;
      return (await expectStatus(system.call('GET', path, { token: admin.token }), 200)).status === 'finished';
    }, 'the announcement to finish');
    return [campaignId, begun.id as string];
  },
  random: () => [newId('camp'), newId('anc')],
  missing: 'not_found',
};

/** The link in a mail to that person. */
const link: Id = {
  own: async ({ system, admin }: Fixtures, who) => {
    const offers = { types: { offers: { EMAIL: true } } };
    await expectStatus(system.call('PUT', '/v1/notifications/preferences', { token: who.token, body: offers }), 200);
    const mail = {
      channel: 'EMAIL',
      userId: who.id,
      email: who.email,
      category: 'offers',
      title: 'Sale',
      html: '<p>!</p>',
    };
    await expectStatus(system.call('POST', '/v1/notifications', { token: admin.token, body: mail }), 202);
    const { Text: text } = await mailTo(system.mailbox, who.email, /^Sale$/);
    const [, token = ''] = /\/v1\/notifications\/unsubscribe\/([A-Za-z0-9_-]{64})/.exec(text) ?? [];
    return token;
  },
  random: () => 'x'.repeat(64),
  missing: 'not_found',
};

type Operations = typeof engagementHttp.announcementOperations & typeof engagementHttp.unsubscribeOperations;

export const announcementRows: RowsOf<Operations> = {
  announceCampaign: {
    access: 'staff',
    roles: ['marketing'],
    ok: 202,
    id: active,
    body: () => ({ ...message, html: '<p>A tenth off all teapots.</p>', subject: 'Teapots' }),
  },
  listAnnouncements: { access: 'staff', roles: ['marketing', 'support'], ok: 200, id: active },
  getAnnouncement: { access: 'staff', roles: ['marketing', 'support'], ok: 200, id: announcement },
  stopAnnouncement: { access: 'staff', roles: ['marketing'], ok: 200, id: announcement },
  showUnsubscribePage: { access: 'public', ok: 200, id: link },
  unsubscribe: { access: 'public', ok: 200, id: link },
};
