import { isSuccess } from '../client.ts';
import { isLoggedIn, type TestOperation } from './operation.ts';
import { noteRefusal, tokenOf } from './sessions.ts';

const list: TestOperation = {
  name: 'list notifications',
  weight: 6,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const reply = await user.client.call('GET', '/v1/notifications', { token: tokenOf(account) });
    if (isSuccess(reply)) entry.acknowledged();
    noteRefusal(entry, account, reply);
  },
};

const readAll: TestOperation = {
  name: 'read all notifications',
  weight: 5,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const { email, id } = account;
    const before = await user.client.call('GET', '/v1/notifications?status=unread', { token: tokenOf(account) });
    const reply = await user.client.call('POST', '/v1/notifications/read-all', {
      token: tokenOf(account),
      key: user.unique('key'),
    });
    noteRefusal(entry, account, reply);
    if (!isSuccess(reply) || !isSuccess(before)) return;
    entry.acknowledged();
    const ids = (before.body.data as { id: string }[]).map((each) => each.id);
    entry.promise(`unread notifications among those that ${entry.name} of ${email} has read`, {
      atLeast: 0,
      atMost: 0,
      count: (finalState) =>
        finalState.count('engagement', 'notifications', { _id: { $in: ids }, audience: id, readAt: null }),
    });
  },
};

const read: TestOperation = {
  name: 'read a notification',
  weight: 4,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const token = tokenOf(account);
    const before = await user.client.call('GET', '/v1/notifications?status=unread&limit=1', { token });
    const id = isSuccess(before) ? before.body.data[0]?.id : undefined;
    if (id === undefined) return;
    const reply = await user.client.call('POST', `/v1/notifications/${id}/read`, { token });
    noteRefusal(entry, account, reply);
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    entry.replace(`read mark of ${id}`, {
      atLeast: 1,
      atMost: 1,
      count: (finalState) =>
        finalState.count('engagement', 'notifications', { _id: id, audience: account.id, readAt: { $ne: null } }),
    });
  },
};

export const notifications: readonly TestOperation[] = [list, readAll, read];
