export interface PostalAddress {
  readonly homeAddress: string;
  readonly state: string | null;
  readonly city: string;
  readonly country: string;
}

/** Who a saved recipient is. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  /** E.164, but for a number of an order that could not be read as one. */
  readonly phone: string | null;
  readonly address: PostalAddress | null;
}
