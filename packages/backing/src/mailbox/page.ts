/**
 * The mailbox's page. It shows the open mail and a list of mails that refreshes itself. A mail's HTML is shown in a
 * frame that can't run scripts or access this page.
 */
export const mailboxPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Development mailbox</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
  body { margin: 0; display: grid; grid-template: auto 1fr / minmax(16rem, 26rem) 1fr; height: 100vh; }
  header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .5rem 1rem; border-bottom: 1px solid #8886; }
  h1 { font-size: 1rem; margin: 0; flex: 1; }
  input { min-width: 6rem; flex: 0 1 16rem; font: inherit; }
  header button { font: inherit; }
  ol { margin: 0; padding: 0; list-style: none; overflow: auto; border-right: 1px solid #8886; }
  li button { display: block; width: 100%; border: 0; border-bottom: 1px solid #8883; padding: .5rem 1rem; background: none; font: inherit; color: inherit; text-align: left; cursor: pointer; }
  li button[aria-current] { background: #38f3; }
  li button.unread strong { font-weight: 700; }
  strong { font-weight: 500; }
  small { display: block; opacity: .75; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  main { display: flex; flex-direction: column; min-width: 0; overflow: auto; padding: 1rem; }
  h2 { margin: 0 0 .25rem; font-size: 1.15rem; overflow-wrap: anywhere; }
  iframe { flex: 1; min-height: 20rem; margin-top: 1rem; border: 1px solid #8886; background: Canvas; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  @media (max-width: 50rem) { body { grid-template: auto 30vh minmax(0, 1fr) / minmax(0, 1fr); height: 100dvh; } input { flex: 1; } main { padding: .75rem; } ol { border-right: 0; border-bottom: 1px solid #8886; } }
</style>
</head>
<body>
<header>
  <h1>Development mailbox</h1>
  <input id="search" type="search" placeholder='to:"ann@example.com"' aria-label="Search">
  <button id="clear" type="button">Delete all</button>
</header>
<ol id="list" aria-label="Mails, newest first"></ol>
<main id="mail" aria-live="polite"><p>Mails sent by the shop arrive here; none leaves this machine.</p></main>
<script>
  const byId = (id) => document.getElementById(id);
  const element = (name, text, set) => Object.assign(document.createElement(name), text === undefined ? {} : { textContent: text }, set);
  const people = (list) => list.map(({ Name, Address }) => Name ? Name + ' <' + Address + '>' : Address).join(', ');
  let opened, shown = '';

  async function refresh() {
    const query = byId('search').value.trim();
    const path = query ? 'search?query=' + encodeURIComponent(query) + '&' : 'messages?';
    const answer = await fetch('/api/v1/' + path + 'limit=200').catch(() => undefined);
    if (!answer?.ok) return void (document.title = 'Development mailbox (not reached)');
    const { messages, unread, total } = await answer.json();
    document.title = (unread ? '(' + unread + ') ' : '') + 'Development mailbox';
    const state = JSON.stringify([opened, total, messages.map(({ ID, Read }) => [ID, Read])]);
    if (state === shown) return;
    shown = state;
    byId('list').replaceChildren(...messages.map((mail) => {
      const button = element('button', undefined, { type: 'button', className: mail.Read ? '' : 'unread', onclick: () => open(mail.ID) });
      if (mail.ID === opened) button.setAttribute('aria-current', 'true');
      button.append(
        element('strong', mail.Subject || '(no subject)'),
        element('small', 'to ' + people([...mail.To, ...mail.Cc, ...mail.Bcc]) + ', ' + new Date(mail.Created).toLocaleString()),
        element('small', mail.Snippet),
      );
      const item = element('li');
      item.append(button);
      return item;
    }));
  }

  async function open(id) {
    const answer = await fetch('/api/v1/message/' + id);
    if (!answer.ok) return;
    const mail = await answer.json();
    opened = id;
    const body = mail.HTML
      ? element('iframe', undefined, { title: 'The mail', srcdoc: '<base target="_blank">' + mail.HTML })
      : element('pre', mail.Text);
    if (mail.HTML) body.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
    byId('mail').replaceChildren(
      element('h2', mail.Subject || '(no subject)'),
      element('small', 'from ' + people([mail.From])),
      element('small', 'to ' + people([...mail.To, ...mail.Cc, ...mail.Bcc])),
      ...mail.Attachments.map((each) => {
        const link = element('a', each.FileName || each.ContentType, { href: '/api/v1/message/' + id + '/part/' + each.PartID, target: '_blank', rel: 'noopener' });
        const line = element('small', 'with ');
        line.append(link);
        return line;
      }),
      body,
    );
    await refresh();
  }

  byId('search').oninput = refresh;
  byId('clear').onclick = async () => {
    await fetch('/api/v1/messages', { method: 'DELETE' });
    opened = undefined;
    byId('mail').replaceChildren();
    await refresh();
  };
  setInterval(refresh, 1000);
  refresh();
</script>
</body>
</html>
`;
