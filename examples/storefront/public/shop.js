// What a shopper with scripts has besides: nothing of the shop depends on it.

// The link of a mail has its secret behind the #, so that no server sees it before the shopper does something.
const fragment = new URLSearchParams(location.hash.slice(1));
for (const [name, value] of fragment) {
  const input = document.querySelector(`form input[name="${CSS.escape(name)}"]`);
  if (!(input instanceof HTMLInputElement)) continue;
  input.value = value;
  history.replaceState(null, '', location.pathname + location.search);
  if (name === 'secret') input.form?.requestSubmit();
}

// A choice that changes the page, such as the order of a list, is sent at once.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLElement) || !target.hasAttribute('data-send-on-change')) return;
  const form = target.closest('form');
  form?.requestSubmit(form.querySelector('button.no-script'));
});

// The chosen variant has a price, and maybe a picture, of its own.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== 'variantId') return;
  const { price, image } = target.dataset;
  const shown = document.querySelector('.price.big');
  if (shown && price) shown.textContent = price;
  const pictures = [...document.querySelectorAll('.gallery img')];
  const wanted = pictures.find((each) => each.src === image)?.closest('picture');
  wanted?.parentElement?.prepend(wanted);
});

// Filters close when something else is clicked, or by Escape.
const closeFilters = (except) => {
  for (const each of document.querySelectorAll('details[name="filter"][open]')) if (each !== except) each.open = false;
};
document.addEventListener('click', ({ target }) => closeFilters(target.closest('details')));
document.addEventListener('keydown', ({ key }) => key === 'Escape' && closeFilters());

// A form is sent once, and says that it is on its way. A button whose answer is a file leaves its page open.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (submitter?.hasAttribute('data-file')) return;
  if (form.dataset.isSent) event.preventDefault();
  form.dataset.isSent = 'yes';
  submitter?.setAttribute('aria-busy', 'true');
  const wait = document.querySelector('.wait');
  wait.textContent = wait.dataset.text;
});
// The way back shows the page as it was left, but for notifications: what has come meanwhile is missing there.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  if (inbox) location.reload();
  for (const form of document.forms) delete form.dataset.isSent;
  for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy');
  document.querySelector('.wait').textContent = '';
});

// Passkeys: what needs them is hidden without a script, and where the browser knows none.
if (window.PublicKeyCredential?.parseCreationOptionsFromJSON)
  for (const each of document.querySelectorAll('[data-passkey], [data-needs-passkeys]')) {
    each.hidden = false;
    const { passkey } = each.dataset;
    if (passkey) each.addEventListener('click', () => void askForPasskey(each));
  }
async function askForPasskey({ form, dataset, nextElementSibling: status }) {
  const options = JSON.parse(dataset.options);
  const { code, passkey } = form.elements;
  try {
    const credential =
      dataset.passkey === 'create'
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
    passkey.value = JSON.stringify(credential);
  } catch {
    status.textContent = status.dataset.failed;
    return;
  }
  status.textContent = status.dataset.done;
  if (code) code.required = false;
  if (dataset.passkey !== 'prove') form.requestSubmit();
}

// From the page of an order to its payment. The way back leads to the order, not forward again: a page that is left before it has
// loaded is none to which browsers go back.
const payment = document.querySelector('a[data-follow]');
if (payment instanceof HTMLAnchorElement) {
  history.replaceState(null, '', location.pathname);
  addEventListener('load', () => setTimeout(() => location.assign(payment.href)));
}

// An order that is still being reserved is looked at again.
const again = document.querySelector('a[data-look-again]');
if (again) setTimeout(() => location.replace(again.href), 2000);

// New notifications appear while the page is open.
const inbox = document.querySelector('[data-live]');
if (inbox) {
  const source = new EventSource('/notifications/stream');
  source.addEventListener('notification', ({ data }) => {
    const { title, body } = JSON.parse(data);
    const item = document.createElement('li');
    item.className = 'unread';
    item.append(Object.assign(document.createElement('h2'), { textContent: title }), body);
    inbox.prepend(item);
    document.querySelector('#nothing-yet')?.remove();
  });
  addEventListener('pagehide', () => source.close());
}
