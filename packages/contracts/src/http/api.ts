/** What the API document says about the API as a whole. */
export const api = {
  title: 'Storefront Commerce API',
  description: `Commerce for shops that sell to consumers and to trade customers. [The guides](/docs/guides) begin with a
storefront in 30 minutes; each operation here shows its call in \`@storefront/client\`.

**Access.** Send the access token of a login, or the API token of a program, as \`Authorization: Bearer …\`. A token that is expired, revoked or malformed is
answered 401. Operations that need no token ignore it; the answer has \`X-Token-Ignored: true\` where a valid token could have changed
it.

**Errors.** Every error is \`application/problem+json\` (RFC 9457). \`code\` is stable and for programs. \`validation_failed\`
names every wrong field in \`errors\`. An unknown path is 404 \`route_not_found\`; a method that a path does not have is 405
\`method_not_allowed\`, with \`Allow\`. \`HEAD\` works wherever \`GET\` does.

**Requests.** Bodies are JSON in UTF-8, not compressed, at most 256 KiB; a picture is sent as it is, with its media type. Fields that an operation does not know are refused.

**Lists.** \`limit\` is the size of a page. \`nextCursor\` of an answer, sent as \`cursor\`, gets the next page of the same query;
it is null on the last one.

**Repeating a request.** An operation with \`Idempotency-Key\` does its work once for each key, however often the request is
sent.

**Concurrent changes.** A resource with an \`ETag\` takes it as \`If-Match\`: a change of another version is refused with 412.

**Limits.** Requests with a valid token are counted for its user, all others for their address. \`RateLimit\` and
\`RateLimit-Policy\` say what is left of each budget. 429 and 503 say in \`Retry-After\` when to try again. Logging out and
ending a session are never answered 429.`,
  contact: { name: 'The team of Storefront Commerce' },
  license: { name: 'MIT', identifier: 'MIT' },
  tags: {
    auth: 'Registration, login, sessions and passwords.',
    'second factor': 'Codes of an authenticator app, recovery codes, passkeys, and fresh proof of who is calling.',
    users: 'The account of the caller.',
    accounts: 'All accounts: search, sessions and second factors; and who has which role.',
    audit: 'Who did what to which object.',
    staff: 'Who works for the shop: disabled at once, logged out, helped with a lost factor.',
    'API tokens': 'What programs call the API with, each for some scopes.',
    'trade accounts': 'Applications of trade customers, and decisions about them.',
    addresses: 'Addresses of the caller.',
    wishlist: 'The wishlist of the caller, and wishlists shared by a link.',
    customers: 'Saved recipients of the caller: people for whom the caller orders.',
    categories: 'The tree of categories.',
    products: 'Products, their prices, stock and pictures.',
    notifications: 'Notifications, preferences about them, and deliveries by mail and other channels.',
    campaigns: 'Campaigns, their codes and announcements.',
    discounts: 'What campaigns take off a cart, and the redemptions of orders.',
    analytics: 'What happens in the shop, and reports about it.',
    carts: 'Carts, how they can be shipped, and what an order of them would cost.',
    orders: 'Orders: sent, paid, cancelled.',
    'shipping and tax': 'How the shop ships, and what tax it charges. For staff.',
    invoices: 'Invoices of the calling trade account, its credit and statement; and, for staff, issuing them.',
    'invoices of accounts': 'Invoices and credit of trade accounts, for staff.',
    payments: 'Payments of invoices, and the callbacks of payment providers.',
    health: 'Whether the API and its services work.',
    'dead letters': 'Events that a service could not handle. For administrators.',
  },
} as const;
