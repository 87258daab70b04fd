import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { emailAddress, line, money, page, pageQuery, text, timestamp } from './common.ts';
import { countryCodes } from './countries.ts';

const nonEmpty = [
  (change: object) => Object.keys(change).length > 0,
  { error: 'must name at least one field to change' },
] as const;

// Whether it is a number of that country is judged once the country is known to be one.
const phone = z
  .string()
  .trim()
  .max(32)
  .regex(/^\+?[0-9 ()./-]{3,32}$/, { error: 'must be a phone number' })
  .meta({ examples: ['+31 20 123 4567'] });

const country = z
  .string()
  .trim()
  .toUpperCase()
  .pipe(z.enum(countryCodes, { error: 'must be a country code of ISO 3166-1, such as NL' }))
  .meta({ examples: ['NL'], description: 'ISO 3166-1 alpha-2.' });

const state = line(100).nullable().meta({ description: 'State, province or region, where the country has them.' });

const addressFields = {
  contactPhone: phone.meta({
    description: 'Written as in the country of the address, or with a + and a country calling code.',
  }),
  homeAddress: text(500).meta({ examples: ['Keizersgracht 1'] }),
  state,
  city: line(100),
  country,
  isDefault: z.boolean(),
};

export const addressCreation = z
  .strictObject({
    ...addressFields,
    state: state.default(null),
    isDefault: addressFields.isDefault
      .default(false)
      .meta({ description: 'The first address is the default one whatever is said here.' }),
  })
  .meta({ id: 'AddressCreation' });
export type AddressCreation = z.output<typeof addressCreation>;

export const addressChange = z
  .strictObject(addressFields)
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'AddressChange' });
export type AddressChange = z.output<typeof addressChange>;

export const address = z
  .object({
    id: z.string(),
    contactPhone: z.string().meta({ description: 'E.164.', examples: ['+31201234567'] }),
    homeAddress: z.string(),
    state: z.string().nullable(),
    city: z.string(),
    country: z.string(),
    isDefault: z.boolean().meta({ description: 'True for exactly one of the addresses of a user.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Address' });
export type AddressBody = z.output<typeof address>;

export const addressPage = page(address).meta({ id: 'AddressPage' });
export const addressParams = z.object({ addressId: idSchema('addr') });
export const addressQuery = z.strictObject(pageQuery);

const wishlistItemFields = {
  id: z.string(),
  productId: z.string(),
  productName: z.string(),
  unitPrice: z.number().meta({
    description: 'In major units of the currency, at the price for the caller: retail or trade.',
    examples: [19.99],
  }),
  createdAt: timestamp,
  productImage: z.string().nullable(),
};

export const wishlistItem = z.object(wishlistItemFields).meta({ id: 'WishlistItem' });
export type WishlistItemBody = z.output<typeof wishlistItem>;

export const wishlist = z
  .object({ userId: z.string(), items: z.array(z.object(wishlistItemFields)) })
  .meta({ id: 'Wishlist' });
export type WishlistBody = z.output<typeof wishlist>;

export const wishlistItemCreation = z
  .strictObject({ productId: idSchema('prod') })
  .meta({ id: 'WishlistItemCreation' });
export const wishlistItemParams = z.object({ id: idSchema('wli') });

export const wishlistInsights = z
  .object({
    userId: z.string(),
    items: z.array(
      z.object({
        id: z.string(),
        productId: z.string(),
        productName: z.string(),
        productImage: z.string().nullable(),
        available: z.boolean().meta({ description: 'False where it is out of stock, withdrawn or deleted.' }),
        priceAtAdding: money,
        priceNow: money.meta({ description: 'The last one known where the product is gone.' }),
        lowestPrice: money.meta({ description: 'The lowest since it was added, in the currency of today.' }),
        createdAt: timestamp,
      }),
    ),
  })
  .meta({ id: 'WishlistInsights' });
export type WishlistInsightsBody = z.output<typeof wishlistInsights>;

export const wishlistMerge = z
  .strictObject({
    productIds: z
      .array(idSchema('prod'))
      .min(1)
      .max(100)
      .meta({ description: 'What somebody wished for before logging in, the oldest first.' }),
  })
  .meta({ id: 'WishlistMerge' });

export const wishlistMerged = z
  .object({
    wishlist: z.object({ userId: z.string(), items: z.array(z.object(wishlistItemFields)) }),
    added: z.array(z.string()).meta({ description: 'Products that were not in the list before.' }),
    unknown: z.array(z.string()).meta({ description: 'Products that the shop does not have.' }),
    noRoom: z.array(z.string()).meta({ description: 'Products that did not fit: the list is full.' }),
  })
  .meta({ id: 'WishlistMerged' });
export type WishlistMergedBody = z.output<typeof wishlistMerged>;

export const wishlistShare = z
  .object({
    token: z.string().meta({ description: 'Shown this once.' }),
    path: z.string().meta({ examples: ['/v1/wishlists/shared/…'] }),
    createdAt: timestamp,
  })
  .meta({ id: 'WishlistShare' });

export const sharedWishlist = z
  .object({
    items: z.array(
      z.object({
        productId: z.string(),
        productName: z.string(),
        unitPrice: z.number().meta({ description: 'The retail price in major units of the currency.' }),
        currency: z.string(),
        productImage: z.string().nullable(),
        available: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'SharedWishlist' });
export type SharedWishlistBody = z.output<typeof sharedWishlist>;
export const sharedWishlistParams = z.object({ token: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });

const recipientAddress = z.strictObject({
  homeAddress: text(500),
  state: state.default(null),
  city: line(100),
  country,
});

const customerFields = {
  firstName: line(100),
  lastName: line(100),
  email: emailAddress.nullable(),
  phone: phone.nullable().meta({
    description: 'With a + and a country calling code, or written as in the country of the address.',
  }),
  address: recipientAddress.nullable(),
  note: text(1000).nullable(),
};

export const customerCreation = z
  .strictObject({
    ...customerFields,
    email: customerFields.email.default(null),
    phone: customerFields.phone.default(null),
    address: customerFields.address.default(null),
    note: customerFields.note.default(null),
  })
  .meta({ id: 'CustomerCreation' });
export type CustomerCreation = z.output<typeof customerCreation>;

export const customerChange = z
  .strictObject(customerFields)
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'CustomerChange' });
export type CustomerChange = z.output<typeof customerChange>;

export const customer = z
  .object({
    id: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: z
      .object({ homeAddress: z.string(), state: z.string().nullable(), city: z.string(), country: z.string() })
      .nullable(),
    note: z.string().nullable(),
    orderCount: z.int().meta({ description: 'How many orders the caller has placed for this recipient.' }),
    lastOrderedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Customer' });
export type CustomerBody = z.output<typeof customer>;

export const customerPage = page(customer).meta({ id: 'CustomerPage' });
export const customerParams = z.object({ id: idSchema('cust') });
export const customerQuery = z.strictObject({
  ...pageQuery,
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: 'Beginnings of names, of parts of the email or of the phone number; all have to match.' }),
});
