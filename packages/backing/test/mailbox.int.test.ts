import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { expect, onTestFinished, test } from 'vitest';
import { BackingError, startMailbox, type MailboxOptions } from '@storefront/backing';
import { temporaryFolder } from './folder.ts';

async function openMailbox(options?: MailboxOptions) {
  const mailbox = await startMailbox(options);
  const sender = createTransport(mailbox.url);
  onTestFinished(async () => {
    sender.close();
    await mailbox.close();
  });
  const api = async (path: string, init?: RequestInit) => fetch(`${mailbox.page}/api/v1/${path}`, init);
  const list = async (path = 'messages') => (await api(path)).json() as Promise<MailList>;
  return { mailbox, sender, api, list };
}

interface MailList {
  total: number;
  unread: number;
  messages_count: number;
  messages: { ID: string; Subject: string; Read: boolean }[];
}

const welcome = {
  from: '"The shop" <shop@example.com>',
  to: 'Ann <ann@example.com>',
  bcc: 'archive@example.com',
  subject: 'Welcome, Änn',
  text: 'Your code is 123456.',
  html: '<p>Your code is <b>123456</b>.</p>',
  messageId: '<welcome-1@example.com>',
  attachments: [{ filename: 'terms.txt', content: 'terms' }],
};

test('a mail that was sent is listed with the fields that Mailpit has', async () => {
  const { sender, list } = await openMailbox();
  await sender.sendMail(welcome);
  const answer = await list();
  expect(answer).toMatchObject({ total: 1, unread: 1, count: 1, messages_count: 1, start: 0, tags: [] });
  expect(answer.messages).toEqual([
    {
      ID: expect.any(String),
      MessageID: 'welcome-1@example.com',
      Read: false,
      From: { Name: 'The shop', Address: 'shop@example.com' },
      To: [{ Name: 'Ann', Address: 'ann@example.com' }],
      Cc: [],
      Bcc: [{ Name: '', Address: 'archive@example.com' }],
      ReplyTo: [],
      Subject: 'Welcome, Änn',
      Created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      Tags: [],
      Size: expect.any(Number),
      Attachments: 1,
      Snippet: 'Your code is 123456.',
    },
  ]);
});

test('an opened mail has all its parts and is marked as read', async () => {
  const { sender, api, list } = await openMailbox();
  await sender.sendMail(welcome);
  const [listed] = (await list()).messages;
  const opened = await api(`message/${listed?.ID}`);
  expect(await opened.json()).toMatchObject({
    ID: listed?.ID,
    ReturnPath: 'shop@example.com',
    Text: expect.stringContaining('Your code is 123456.'),
    HTML: expect.stringContaining('<b>123456</b>'),
    Attachments: [{ FileName: 'terms.txt', ContentType: 'text/plain', Size: 5 }],
  });
  expect(await list()).toMatchObject({ unread: 0, messages: [{ Read: true }] });
  expect((await api('message/unknown')).status).toBe(404);
});

test('mails are listed newest first, page by page, and found by recipient and words', async () => {
  const { sender, list } = await openMailbox();
  for (const name of ['ann', 'bob', 'Ann']) {
    await sender.sendMail({
      from: 'shop@example.com',
      to: `${name}@example.com`,
      subject: `for ${name}`,
      text: 'hello',
    });
  }
  const subjects = async (path: string) => (await list(path)).messages.map(({ Subject }) => Subject);
  expect(await subjects('messages')).toEqual(['for Ann', 'for bob', 'for ann']);
  expect(await subjects('messages?start=1&limit=1')).toEqual(['for bob']);
  const search = (query: string) => `search?query=${encodeURIComponent(query)}`;
  expect(await subjects(search('to:"ann@example.com"'))).toEqual(['for Ann', 'for ann']);
  expect(await subjects(search('hello !to:ann@example.com'))).toEqual(['for bob']);
  expect(await subjects(search('subject:"for bob" from:shop'))).toEqual(['for bob']);
  expect(await subjects(search('to:"nobody@example.com"'))).toEqual([]);
});

test('mails are deleted one by one or all together, and the oldest are removed for new ones', async () => {
  const { sender, api, list } = await openMailbox({ capacity: 2 });
  for (const subject of ['first', 'second', 'third']) {
    await sender.sendMail({ from: 'shop@example.com', to: 'ann@example.com', subject, text: subject });
  }
  const { messages } = await list();
  expect(messages.map(({ Subject }) => Subject)).toEqual(['third', 'second']);
  await api('messages', {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ IDs: [messages[0]?.ID] }),
  });
  expect((await list()).messages.map(({ Subject }) => Subject)).toEqual(['second']);
  expect((await api('messages', { method: 'DELETE' })).status).toBe(200);
  expect((await list()).total).toBe(0);
});

test('the page shows a mail in a frame that can not run scripts', async () => {
  const { mailbox } = await openMailbox();
  const page = await fetch(mailbox.page);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page.text();
  expect(html).toContain("setAttribute('sandbox'");
  expect(html).not.toContain('allow-scripts');
});

test('a port in use is reported with a clear message', async () => {
  const { mailbox } = await openMailbox();
  const smtpPort = Number(new URL(mailbox.url).port);
  const pagePort = Number(new URL(mailbox.page).port);
  await expect(startMailbox({ pagePort })).rejects.toThrow(
    new BackingError(
      `Port ${pagePort} for the mailbox's page is in use: end what listens there, or set MAILBOX_PORT to another one (0: any free one).`,
    ),
  );
  await expect(startMailbox({ smtpPort })).rejects.toThrow(BackingError);
});

test('a test can have mails to some recipients break the connection off', async () => {
  const { sender, list } = await openMailbox({ breaksOff: (recipient) => recipient.startsWith('poison@') });
  await expect(sender.sendMail({ ...welcome, to: 'poison@example.com' })).rejects.toMatchObject({
    code: expect.stringMatching(/^E(CONNECTION|SOCKET|CONNRESET)$/),
  });
  await sender.sendMail(welcome);
  expect((await list()).messages.map(({ Subject }) => Subject)).toEqual([welcome.subject]);
});

test('mails, their attachments and the addresses stay over a restart with the same folder', async () => {
  const dataDir = await temporaryFolder();
  const { mailbox, sender, api, list } = await openMailbox({ dataDir });
  await sender.sendMail(welcome);
  await sender.sendMail({ ...welcome, subject: 'Deleted' });
  const [deleted, kept] = (await list()).messages;
  const json = { 'content-type': 'application/json' };
  await api('messages', { method: 'DELETE', headers: json, body: JSON.stringify({ IDs: [deleted?.ID] }) });
  await mailbox.close();

  // Another process may use the folder now.
  expect(JSON.parse(await readFile(join(dataDir, 'state.json'), 'utf8'))).not.toHaveProperty('process');
  const again = await openMailbox({ dataDir });
  expect([again.mailbox.url, again.mailbox.page]).toEqual([mailbox.url, mailbox.page]);
  const { messages, unread } = await again.list();
  expect([messages, unread]).toEqual([[{ ...kept, Read: true }], 0]);
  const mail = (await (await again.api(`message/${kept?.ID}`)).json()) as { Attachments: { PartID: string }[] };
  expect(mail).toMatchObject({ Subject: welcome.subject, Bcc: [{ Address: 'archive@example.com' }] });
  const [{ PartID } = { PartID: '' }] = mail.Attachments;
  const attachment = await again.api(`message/${kept?.ID}/part/${PartID}`);
  expect([attachment.status, attachment.headers.get('content-type'), await attachment.text()]).toEqual([
    200,
    expect.stringContaining('text/plain'),
    'terms',
  ]);
  expect(attachment.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''terms.txt");
  for (const missing of [`message/${kept?.ID}/part/2`, `message/${deleted?.ID}/part/1`, 'message/..%2Fstate/part/1'])
    expect((await again.api(missing)).status).toBe(404);
});
