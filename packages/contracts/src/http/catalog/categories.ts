import { z } from 'zod';
import { catalogErrors } from '../../errors/catalog.ts';
import { idSchema } from '../../ids.ts';
import { created, line, nonEmpty, page, pageQuery, text, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';
import { pictureAddress, shownPictureAddress } from './pictures.ts';
import { slug } from './slug.ts';

const categoryFields = {
  name: line(100).meta({ examples: ['Loose leaf tea'] }),
  slug,
  description: text(2000)
    .nullable()
    .meta({ examples: ['Teas by the ounce.'] }),
  parentId: idSchema('cat').nullable().meta({ description: 'The category above it; null for a root category.' }),
  position: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'Lists are ordered by position, then name.', examples: [10] }),
  image: pictureAddress.nullable(),
  isActive: z.boolean().meta({
    description: 'Where it is false, shoppers see neither the category nor those below it.',
  }),
};

export const categoryCreation = z
  .strictObject({
    name: categoryFields.name,
    slug: slug.optional().meta({ description: 'Made from the name where it is left out.' }),
    description: categoryFields.description.default(null),
    parentId: categoryFields.parentId.default(null),
    position: categoryFields.position.default(0),
    image: categoryFields.image.default(null),
    isActive: categoryFields.isActive.default(true),
  })
  .meta({
    id: 'CategoryCreation',
    examples: [{ name: 'Loose leaf tea', parentId: 'cat_01h455vb4pex5vsknk084sn02q', position: 10 }],
  });
export type CategoryCreation = z.output<typeof categoryCreation>;

export const categoryChange = z
  .strictObject(categoryFields)
  .partial()
  .refine(...nonEmpty)
  .meta({ id: 'CategoryChange', minProperties: 1, examples: [{ name: 'Teas', isActive: false }] });
export type CategoryChange = z.output<typeof categoryChange>;

const category = z.object({
  id: idSchema('cat'),
  name: z.string().meta({ examples: ['Loose leaf tea'] }),
  slug: z.string().meta({ examples: ['loose-leaf-tea'] }),
  description: z.string().nullable(),
  parentId: z.string().nullable().meta({ description: 'The category above it; null for a root category.' }),
  position: z.int().meta({ description: 'Lists are ordered by position, then name.' }),
  path: z.array(z.string()).meta({ description: 'The ids of its ancestors, the root first.' }),
  productCount: z.int().meta({
    description: 'Active products in this category and in those below it, each once.',
  }),
  image: shownPictureAddress.nullable(),
  isActive: z.boolean().meta({
    description: 'Where it is false, shoppers see neither the category nor those below it.',
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const categoryBody = category.meta({ id: 'Category' });
export type CategoryBody = z.output<typeof category>;

export const categoryNode = category
  .extend({
    get children() {
      return z.array(categoryNode).optional().meta({ description: 'Only with `view=tree`.' });
    },
  })
  .meta({ id: 'CategoryNode' });
export type CategoryNode = z.output<typeof categoryNode>;

export const categoryPage = page(categoryNode).meta({ id: 'CategoryPage' });
export type CategoryPage = z.output<typeof categoryPage>;

export const categoryParams = z.object({ id: idSchema('cat') });

export const categoryQuery = z.strictObject({
  ...pageQuery,
  view: z
    .enum(['flat', 'tree'])
    .default('flat')
    .meta({
      description:
        '`flat` answers pages; `tree` answers all categories at once, nested, and ignores `limit` and `cursor`.',
      examples: ['tree'],
    }),
  parentId: z
    .union([idSchema('cat'), z.literal('root')])
    .optional()
    .meta({
      description: 'Only those directly below this category; `root` for the root categories.',
      examples: ['root'],
    }),
  slug: slug.optional().meta({ description: 'Only the category with this slug.', examples: ['loose-leaf-tea'] }),
});

const strategy = z.enum(['reject', 'reassign', 'cascade']);

export const categoryDeletionQuery = z
  .strictObject({
    strategy: strategy.default('reject').meta({
      description:
        'What happens to sub-categories and products. `reject`: the deletion is refused where there are any. ' +
        '`reassign`: both move to the category `to`. `cascade`: the sub-categories are deleted too, and their ' +
        'products are taken out of them. No strategy deletes a product.',
      examples: ['reassign'],
    }),
    to: idSchema('cat')
      .optional()
      .meta({ description: 'The category that sub-categories and products move to. Only with `strategy=reassign`.' }),
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .transform((value) => value === 'true')
      .meta({ description: '`true` changes nothing and answers what the deletion would do.', examples: ['true'] }),
  })
  .refine((query) => (query.strategy === 'reassign') === (query.to !== undefined), {
    path: ['to'],
    error: 'goes together with strategy=reassign, and only with it',
  });
export type CategoryDeletionQuery = z.output<typeof categoryDeletionQuery>;

export const categoryDeleted = z
  .object({
    id: idSchema('cat'),
    deleted: z.boolean().meta({ description: 'False for a dry run.' }),
    dryRun: z.boolean(),
    strategy,
    categoriesDeleted: z.int().meta({ description: 'This one included.' }),
    childrenReassigned: z.int().meta({ description: 'Sub-categories that moved to the category `to`.' }),
    productsReassigned: z.int().meta({ description: 'Products that moved to the category `to`.' }),
    productsRemoved: z.int().meta({ description: 'Products that were taken out of the deleted categories.' }),
    productsUncategorised: z.int().meta({ description: 'Those of them that are in no category now.' }),
  })
  .meta({ id: 'CategoryDeleted' });
export type CategoryDeletedBody = z.output<typeof categoryDeleted>;

const tags = ['categories'];

export const categoryOperations = operationsOf(
  operation({
    id: 'listCategories',
    method: 'GET',
    path: '/v1/categories',
    access: 'public',
    roles: ['catalog', 'marketing', 'sales', 'support'],
    scope: 'catalog:read',
    optionalToken: true,
    publicSeconds: 30,
    tags,
    summary: 'List categories',
    description: 'By position, then name. Only staff see inactive categories and those below them.',
    query: categoryQuery,
    responses: { 200: categoryPage },
  }),
  operation({
    id: 'getCategory',
    method: 'GET',
    path: '/v1/categories/{id}',
    access: 'public',
    roles: ['catalog', 'marketing', 'sales', 'support'],
    scope: 'catalog:read',
    optionalToken: true,
    publicSeconds: 30,
    versioned: true,
    tags,
    summary: 'Read a category',
    description: 'An inactive one, or one below it, is 404 unless staff read it.',
    params: categoryParams,
    responses: { 200: categoryBody },
  }),
  operation({
    id: 'createCategory',
    method: 'POST',
    path: '/v1/categories',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    idempotent: true,
    versioned: true,
    tags,
    summary: 'Create a category',
    description: 'Categories go 8 levels deep at most.',
    body: categoryCreation,
    responses: { 201: created(categoryBody) },
    errors: [catalogErrors.slugTaken, catalogErrors.categoryTooDeep],
  }),
  operation({
    id: 'changeCategory',
    method: 'PATCH',
    path: '/v1/categories/{id}',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    versioned: true,
    tags,
    summary: 'Change or move a category',
    description: 'Categories below it move along. A slug does not follow a change of the name.',
    params: categoryParams,
    body: categoryChange,
    responses: { 200: categoryBody },
    errors: [catalogErrors.slugTaken, catalogErrors.categoryCycle, catalogErrors.categoryTooDeep],
  }),
  operation({
    id: 'deleteCategory',
    method: 'DELETE',
    path: '/v1/categories/{id}',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    versioned: true,
    tags,
    summary: 'Delete a category',
    description:
      'A category with sub-categories or products is refused unless a strategy says what happens to them. ' +
      'Products are never deleted. With `dryRun=true` nothing changes: the answer, or the refusal, is that of ' +
      'the deletion.',
    params: categoryParams,
    query: categoryDeletionQuery,
    responses: { 200: categoryDeleted },
    errors: [catalogErrors.categoryNotEmpty, catalogErrors.invalidTarget, catalogErrors.categoryTooDeep],
  }),
);
