// What a shopper with scripts has besides: nothing of the shop depends on it.

// The link of a mail has its secret behind the #, so that no server sees it before the shopper does something.
const fragment = new URLSearchParams(location.hash.slice(1));
for (const [name, value] of fragment) {
  const input = document.querySelector(`form input[name="${CSS.escape(name)}"]`);
  if (!(input instanceof HTMLInputElement)) continue;
  input.value = value;
  history.replaceState(null, '', location.pathname + location.search);
  if (input.form?.hasAttribute('data-send-fragment')) input.form.requestSubmit();
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

// From the page of an order to its payment. The way back leads to the order, not forward again.
const payment = document.querySelector('a[data-follow]');
if (payment instanceof HTMLAnchorElement) {
  history.replaceState(null, '', location.pathname);
  location.assign(payment.href);
}

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
