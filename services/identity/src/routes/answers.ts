import type { identityHttp } from '@storefront/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Revocation } from '../domain/revocation.ts';
import type { Device } from '../domain/session.ts';
import type { User } from '../domain/user.ts';

/** A user as the API shows them. */
export function userBody(user: User): identityHttp.UserBody {
  return { ...fieldsOf(user), ...(user.trade ? { trade: tradeOf(user.trade) } : {}) };
}

/** A trade account as administrators see it. */
export function tradeAccountBody(user: User): z.infer<typeof identityHttp.tradeAccount> {
  if (!user.trade) throw new Error(`${user.id} has no trade account`);
  const timeline = user.trade.timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
  return { ...fieldsOf(user), trade: { ...tradeOf(user.trade), timeline } };
}

function fieldsOf(user: User) {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    status: user.status,
    firstName: user.firstName,
    lastName: user.lastName,
    phone: user.phone,
    emailVerifiedAt: user.emailVerifiedAt?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

function tradeOf(trade: NonNullable<User['trade']>) {
  return {
    businessName: trade.businessName,
    businessAddress: trade.businessAddress,
    referralCode: trade.referralCode,
    vatNumber: trade.vatNumber,
    companyRegistration: trade.companyRegistration,
    submittedAt: trade.submittedAt.toISOString(),
  };
}

const longestDevice = 300;

/** The device that a request comes from, as far as it tells. */
export function deviceOf(request: FastifyRequest): Device {
  return { device: request.headers['user-agent']?.slice(0, longestDevice) ?? null, ip: request.clientIp };
}

/**
 * Tells the gateway which tokens have died by this answer, so that it refuses them before the client can know. The
 * gateway takes the header away. A space each: user, token version and, where it is but one, the session.
 */
export function tellRevoked(reply: FastifyReply, { userId, tokenVersion, sessionId }: Revocation): void {
  void reply.header('x-tokens-revoked', [userId, tokenVersion, ...(sessionId ? [sessionId] : [])].join(' '));
}
