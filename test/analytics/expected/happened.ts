export type Segment = 'trade' | 'retail' | 'guest';

/** What an event or a client said that reports are about. One event can say several things. */
export interface Happened {
  readonly what: What;
  /** The id of the event. */
  readonly id: string;
  readonly at: number;
  readonly segment: Segment;
  /** Who did it, where that is known: `user_…` or `visitor …`. */
  readonly who: string | null;
  /** The product, the product with the variant, the campaign, the words, the channel with the type, or the day on which something is due. */
  readonly of: string;
  readonly currency: string;
  readonly amounts: Readonly<Record<string, number>>;
}

export type What =
  | 'begun'
  | 'verified'
  | 'applied'
  | 'approved'
  | 'rejected'
  /** A user did something. */
  | 'active'
  | 'sale'
  /** A placed order was cancelled. */
  | 'sale cancelled'
  /** A product was part of a sale. */
  | 'sold'
  /** A product was part of an order that was cancelled. */
  | 'taken back'
  /** The same three, of a variant: the product and the variant, or what names none of the product. */
  | 'variant sold'
  | 'variant taken back'
  | 'variant wished'
  /** An order was placed; a sale by an invoice is none. */
  | 'order placed'
  | 'order given up'
  | 'order refunded'
  | 'order returned'
  /** A user ordered, whatever it was. */
  | 'ordered'
  /** A user ordered this product. */
  | 'ordered product'
  | 'viewed'
  | 'wished'
  | 'unwished'
  | 'alerted'
  | 'carted'
  | 'checkout'
  | 'shipped'
  | 'arrived'
  | 'searched'
  | 'redeemed'
  | 'withdrawn'
  | 'released'
  | 'requested'
  | 'delivered'
  | 'failed'
  | 'suppressed'
  | 'read'
  | 'invoiced'
  | 'paid'
  | 'overdue'
  | 'owed';

/** The same, but that nobody knows any more what these people did. */
export function withoutPeople(happened: readonly Happened[], people: ReadonlySet<string>): Happened[] {
  return happened.map((each) => (each.who !== null && people.has(each.who) ? { ...each, who: null } : each));
}

/** The same, where these users have been erased: what they searched for is not kept. */
export function withoutTextsOf(happened: readonly Happened[], erased: ReadonlySet<string>): Happened[] {
  return happened.map((each) =>
    each.what === 'searched' && each.who !== null && erased.has(each.who) ? { ...each, of: 'other' } : each,
  );
}
