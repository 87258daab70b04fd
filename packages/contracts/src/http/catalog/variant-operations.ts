import { z } from 'zod';
import { catalogErrors } from '../../errors/catalog.ts';
import { idSchema } from '../../ids.ts';
import { operation, operationsOf } from '../operation.ts';
import { product, productParams, stockChange } from './products.ts';
import { variantChange, variantCreation } from './variants.ts';

const variantParams = z.object({ id: idSchema('prod'), variantId: idSchema('var') });

const forCatalogStaff = {
  access: 'staff',
  roles: ['catalog'],
  scope: 'catalog:write',
  versioned: true,
  tags: ['products'],
} as const;

export const variantOperations = operationsOf(
  operation({
    ...forCatalogStaff,
    id: 'addVariant',
    method: 'POST',
    path: '/v1/products/{id}/variants',
    idempotent: true,
    summary: 'Add a variant to a product',
    description:
      'It is the last one in the list of the product that is answered. A product gets its options first, and with them its ' +
      'first variant.',
    params: productParams,
    body: variantCreation,
    responses: { 201: { description: 'Added.', body: product, headers: { Location: 'The path of the product.' } } },
    errors: [catalogErrors.skuTaken, catalogErrors.variantExists, catalogErrors.tooManyVariants],
  }),
  operation({
    ...forCatalogStaff,
    id: 'changeVariant',
    method: 'PATCH',
    path: '/v1/products/{id}/variants/{variantId}',
    summary: 'Change a variant of a product',
    description:
      'Fields that are left out stay as they are, and so do all other variants, also where somebody changes them at the ' +
      'same time. A product without options is changed itself.',
    params: variantParams,
    body: variantChange,
    responses: { 200: product },
    errors: [
      catalogErrors.skuTaken,
      catalogErrors.variantExists,
      catalogErrors.lastVariant,
      catalogErrors.isOwnVariant,
    ],
  }),
  operation({
    ...forCatalogStaff,
    id: 'deleteVariant',
    method: 'DELETE',
    path: '/v1/products/{id}/variants/{variantId}',
    summary: 'Delete a variant of a product',
    description:
      'Deletes it with its stock and frees its SKU. Archive a variant that is only no longer sold. A product keeps at least ' +
      'one active variant. While orders have reserved some of it, it can only be archived.',
    params: variantParams,
    responses: { 204: null },
    errors: [catalogErrors.lastVariant, catalogErrors.stockReserved],
  }),
  operation({
    ...forCatalogStaff,
    id: 'changeVariantStock',
    method: 'POST',
    path: '/v1/products/{id}/variants/{variantId}/stock',
    idempotent: true,
    summary: 'Add to the stock of a variant or take from it',
    description:
      'Concurrent changes add up, and the stock never goes below zero. What is reserved for orders can be taken only where ' +
      "back orders are allowed. The only variant of a product without options has the product's stock.",
    params: variantParams,
    body: stockChange,
    responses: { 200: product },
    errors: [catalogErrors.insufficientStock],
  }),
);
