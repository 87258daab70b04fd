import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { newId } from '@storefront/contracts';
import { eventually, freshDatabase, memoryLogger } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMailServer } from './mail-server.ts';
import { startSender, type SenderInput } from './sender.ts';

/** Longer than any test. */
const longMs = 600_000;
let place: ReturnType<typeof freshDatabase>;
let mails: Awaited<ReturnType<typeof startMailServer>>;
let opened: AsyncDisposableStack;
let input: SenderInput;
let sender: Awaited<ReturnType<typeof startSender>>;
let lines: readonly string[];

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  place = freshDatabase('senders');
  opened.defer(() => place.drop());
  mails = await startMailServer();
  opened.defer(() => mails.stop());
  const { url: mongodbUrl } = place;
  // However slow this machine is, no mail is overdue.
  const answerWithinMs = longMs;
  input = { mongodbUrl, smtpUrl: mails.url, leaseMs: 4000, beatMs: 300, doubtDelays: [longMs, longMs], answerWithinMs };
});
afterEach(() => opened.disposeAsync());

/** A sender in this process. It sends nothing before its `start`. */
async function open(): Promise<void> {
  const { logger, lines: logged } = memoryLogger();
  lines = logged;
  sender = await startSender(input, logger);
  opened.defer(() => sender.close());
}

/** A sender in a process of its own, which sends at once. */
async function another(): Promise<{ child: ChildProcess; holder: string }> {
  const child = fork(new URL('programs/sender.ts', import.meta.url), [JSON.stringify(input)], {
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  opened.defer(() => void child.kill('SIGKILL'));
  const [holder] = (await once(child, 'message')) as [string];
  return { child, holder };
}

const stored = () => sender.database.getClient().db(sender.database.name).collection<any>('deliveries');
const emailOf = (name: string, number: number) => `${name}${number}@example.com`;

async function request(name: string, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, number) => emailOf(name, number));
  await Promise.all(emails.map((email) => sender.request(newId('dlv'), email)));
  return emails;
}
const delivered = (emails: readonly string[]) =>
  stored().countDocuments({ email: { $in: [...emails] }, status: 'delivered' });
const repeated = (emails: readonly string[]) => emails.filter((email) => mails.to(email).length > 1);

describe('a sender that is halted', () => {
  it('until others have sent what it held repeats nothing, and loses nothing', async () => {
    await open();
    const halted = await another();
    const emails = await request('halted', 60);
    mails.beforeTaking = () => new Promise((resolve) => setTimeout(resolve, 40));
    await eventually(() => mails.received.length >= 10, 'ten mails');
    halted.child.kill('SIGSTOP');
    const held = await stored().countDocuments({ holder: halted.holder });
    expect(held).toBeGreaterThan(0);
    sender.start();
    // All but those that it may have ended: one, and the one after it that may be marked.
    await eventually(async () => (await delivered(emails)) >= 58, 'the other to send what was left', 90_000);
    expect(await stored().countDocuments({ holder: halted.holder })).toBe(0);
    halted.child.kill('SIGCONT');
    await eventually(async () => (await delivered(emails)) === 60, 'all to be delivered', 90_000);
    expect(repeated(emails)).toEqual([]);
    expect(mails.received).toHaveLength(60);
  });

  it('after the server has its mail records the answer when it goes on, and nobody sends the mail again', async () => {
    await open();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    mails.beforeTaking = () => mayAnswer;
    const halted = await another();
    const [email = ''] = await request('answer', 1);
    await eventually(() => mails.to(email).length === 1, 'the mail');
    halted.child.kill('SIGSTOP');
    answer();
    sender.start();
    const inDoubt = await eventually(() => stored().findOne({ email, inDoubt: 1 }), 'the mail to be in doubt', 60_000);
    expect(inDoubt).toMatchObject({ status: 'pending', holder: null, attempts: [{ outcome: 'in_doubt' }] });
    halted.child.kill('SIGCONT');
    const recorded = await eventually(() => stored().findOne({ email, status: 'delivered' }), 'the answer', 60_000);
    expect(recorded).toMatchObject({ inDoubt: 0, attempts: [{ outcome: 'in_doubt' }, { outcome: 'accepted' }] });
    expect(mails.received).toHaveLength(1);
  });
});

describe('a sender that is killed', () => {
  it('after the server has its mail repeats that one, after a wait, and nothing else', async () => {
    input = { ...input, doubtDelays: [1500, longMs] };
    await open();
    let isFirst = true;
    mails.beforeTaking = async () => {
      if (isFirst) await new Promise((resolve) => ((isFirst = false), setTimeout(resolve, 120_000).unref()));
    };
    const killed = await another();
    const emails = await request('killed', 12);
    await eventually(() => mails.received.length === 1, 'the first mail');
    const ended = mails.received[0]?.to[0] ?? '';
    const others = emails.filter((email) => email !== ended);
    await eventually(
      async () => (await stored().countDocuments({ holder: killed.holder })) === 12,
      'it to hold all of them',
    );
    killed.child.kill('SIGKILL');
    sender.start();
    await eventually(async () => (await delivered(others)) === 11, 'the others', 60_000);
    // Those were not in doubt, and did not wait for the one that is.
    expect(await stored().countDocuments({ status: 'delivered', attemptCount: 1, inDoubt: 0 })).toBe(11);
    const inDoubt = await eventually(() => stored().findOne({ email: ended, inDoubt: 1 }), 'the doubt');
    const last = await eventually(() => stored().findOne({ email: ended, status: 'delivered' }), 'the last', 60_000);
    expect(last.deliveredAt - inDoubt.attempts[0].at).toBeGreaterThanOrEqual(1500);
    expect(repeated(emails)).toEqual([ended]);
    expect(new Set(mails.to(ended).map(({ messageId }) => messageId)).size).toBe(1);
    expect(mails.received).toHaveLength(13);
  });
});

describe('a sender', () => {
  it('has its mails under way side by side, and ends one while none before it is unsaved', async () => {
    await open();
    const { promise: fiveBegun, resolve: begun } = Promise.withResolvers<void>();
    let addressed = 0;
    mails.answerRecipient = () => ((addressed += 1) === 5 && begun(), null);
    const unsaved: number[] = [];
    mails.beforeTaking = async () => {
      await fiveBegun;
      unsaved.push(mails.received.length - (await stored().countDocuments({ status: 'delivered' })));
    };
    const emails = await request('side', 20);
    sender.start();
    await eventually(async () => (await delivered(emails)) === 20, 'all to be delivered', 60_000);
    expect(unsaved).toEqual(emails.map(() => 1));
    expect(repeated(emails)).toEqual([]);
  });

  it('takes again what it holds and has lost sight of', async () => {
    input = { ...input, doubtDelays: [200, 200] };
    await open();
    const [email = '', marked = ''] = await request('lost', 2);
    // As a claim leaves it that reached the database after its sender had given it up.
    const { holder } = sender.lease;
    await stored().updateOne({ email }, { $set: { holder, dueAt: null } });
    await stored().updateOne({ email: marked }, { $set: { holder, dueAt: null, ending: 'attempt' } });
    sender.start();
    await eventually(async () => (await delivered([email, marked])) === 2, 'both to be delivered');
    expect(await stored().findOne({ email })).toMatchObject({ attempts: [{ outcome: 'accepted' }] });
    expect(await stored().findOne({ email: marked })).toMatchObject({
      attempts: [{ outcome: 'in_doubt' }, { outcome: 'accepted' }],
    });
    expect(mails.received).toHaveLength(2);
  });
});

describe('a mail whose attempt can not be saved', () => {
  it('though the database answers is in doubt, and the log says why', async () => {
    await open();
    const [email = ''] = await request('unsavable', 1);
    const validator = { $nor: [{ email, status: 'delivered' }] };
    await sender.database.db?.command({ collMod: 'deliveries', validator });
    sender.start();
    await eventually(() => stored().findOne({ email, inDoubt: 1 }), 'the mail to be in doubt', 60_000);
    expect(lines.filter((line) => line.includes('a delivery could not be saved'))).toHaveLength(2);
    expect(mails.to(email)).toHaveLength(1);
  });
});

describe('a mail that the server never answers', () => {
  it('holds up no other, and its answer still counts where it comes late', async () => {
    input = { ...input, answerWithinMs: 100 };
    await open();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    mails.beforeTaking = async ([to = '']) => (to.startsWith('silent') ? mayAnswer : undefined);
    // More than there are connections, and than would be under way at once.
    const silent = await request('silent', 12);
    const healthy = await request('healthy', 40);
    sender.start();
    await eventually(async () => (await delivered(healthy)) === 40, 'all others to be delivered', 60_000);
    expect(await delivered(silent)).toBe(0);
    answer();
    await eventually(async () => (await delivered(silent)) === 12, 'the late answers to be recorded', 60_000);
    expect(repeated([...silent, ...healthy])).toEqual([]);
  });
});

describe('a mail that breaks its conversation', () => {
  it('is tried three times and then left to a person, and delays no other mail', async () => {
    input = { ...input, doubtDelays: [300, 300] };
    await open();
    mails.dropsAt = ([to = '']) => (to.startsWith('poison') ? 'end' : null);
    const [poisonous, healthy] = [await request('poison', 10), await request('healthy', 100)];
    sender.start();
    const failed = { email: { $in: poisonous }, status: 'failed' };
    await eventually(async () => (await stored().countDocuments(failed)) === 10, 'the ten to fail', 90_000);
    expect(await stored().distinct('reason', failed)).toEqual(['in_doubt']);
    expect(poisonous.map((email) => mails.to(email).length)).toEqual(poisonous.map(() => 3));
    expect(await delivered(healthy)).toBe(100);
    expect(await stored().countDocuments({ email: { $in: healthy }, attemptCount: 1 })).toBe(100);
    expect(repeated(healthy)).toEqual([]);
    // No other mail ever waited because of them.
    expect(lines.filter((line) => line.includes('the mail server is away'))).toEqual([]);
  });

  it('before its end is deferred like any other, and not in doubt', async () => {
    await open();
    let drops = 1;
    mails.dropsAt = () => ((drops -= 1) >= 0 ? 'content' : null);
    const [email = ''] = await request('content', 1);
    sender.start();
    const found = await eventually(() => stored().findOne({ email, status: 'delivered' }), 'the mail', 60_000);
    expect(found).toMatchObject({
      inDoubt: 0,
      deferrals: 1,
      attempts: [{ outcome: 'interrupted' }, { outcome: 'accepted' }],
    });
    expect(mails.to(email)).toHaveLength(1);
  });

  it('by a 421 before its end is deferred, however often, and delays no other mail', async () => {
    const withoutPipelining = await startMailServer({ pipelining: false });
    opened.defer(() => withoutPipelining.stop());
    withoutPipelining.answerRecipient = (to) => (to.startsWith('closing') ? 421 : null);
    input = { ...input, smtpUrl: withoutPipelining.url };
    await open();
    const [closing, healthy] = [await request('closing', 5), await request('healthy', 20)];
    sender.start();
    await eventually(async () => (await delivered(healthy)) === 20, 'all others to be delivered', 60_000);
    const twice = { email: { $in: closing }, deferrals: { $gte: 2 }, unreachable: 0 };
    await eventually(async () => (await stored().countDocuments(twice)) === 5, 'a second attempt of each', 60_000);
    expect(await stored().distinct('attempts.outcome', twice)).toEqual(['interrupted']);
    expect(lines.filter((line) => line.includes('the mail server is away'))).toEqual([]);
  });

  it('is not to blame where all do: then few are tried until the server takes them again', async () => {
    await open();
    mails.dropsAt = () => 'end';
    const emails = await request('everybody', 60);
    sender.start();
    await eventually(() => lines.some((line) => line.includes('the mail server is away')), 'a pause', 60_000);
    const lost = mails.received.length;
    expect(lost).toBeLessThan(30);
    mails.dropsAt = () => null;
    await eventually(async () => (await delivered(emails)) >= 60 - lost - 5, 'all that are not in doubt', 90_000);
    expect(await stored().countDocuments({ status: 'failed' })).toBe(0);
  });
});
