import { eventEnvelope } from '@storefront/contracts';
import { z } from 'zod';

/** The fields of a stored object, each with its type. */
export type Fields = Readonly<Record<string, z.ZodType>>;

/** The fields that every document of a repository without events has. */
export const versioned = { version: z.int() };

/** The fields that every document of a repository with events has. */
export const withEvents = { ...versioned, outbox: z.array(eventEnvelope), deletedAt: z.date().optional() };
