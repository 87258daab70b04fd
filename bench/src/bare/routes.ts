import type { FastifyInstance } from 'fastify';
import type mongoose from 'mongoose';

interface Stored extends mongoose.mongo.Document {
  _id: string;
}

/**
 * A minimal route for each workload: no checks, only the calls of the official driver that the service needs, and their
 * result as JSON.
 */
export function bareRoutes(app: FastifyInstance, databaseOf: (service: string) => mongoose.mongo.Db): void {
  const collection = (service: string, name: string) => databaseOf(service).collection<Stored>(name);
  const users = collection('identity', 'users');
  const notifications = collection('engagement', 'notifications');
  const addressBooks = collection('account', 'address_books');
  const categories = collection('catalog', 'categories');
  const products = collection('catalog', 'products');
  const redemptions = collection('engagement', 'bare_redemptions');
  const usage = collection('engagement', 'bare_usage');
  const codes = collection('engagement', 'bare_codes');
  const shoppers = collection('engagement', 'bare_shoppers');

  app.get('/empty', () => ({ status: 'ok' }));
  app.get<{ Params: { id: string } }>('/users/:id', ({ params }) =>
    users.findOne({ _id: params.id }, { projection: { outbox: 0 } }),
  );
  app.patch<{ Params: { id: string }; Body: Record<string, string> }>('/users/:id', ({ params, body }) =>
    users.findOneAndUpdate(
      { _id: params.id },
      { $set: { ...body, updatedAt: new Date() }, $inc: { version: 1 } },
      { returnDocument: 'after', projection: { outbox: 0 } },
    ),
  );
  app.get<{ Params: { id: string } }>('/notifications/:id', async ({ params }) => {
    const [data, unreadCount] = await Promise.all([
      notifications.find({ audience: params.id }).sort({ createdAt: -1, _id: -1 }).limit(21).toArray(),
      notifications.countDocuments({ audience: params.id, unread: true }),
    ]);
    return { data, unreadCount };
  });
  app.get<{ Params: { id: string } }>('/addresses/:id', ({ params }) =>
    addressBooks.findOne({ _id: params.id }, { projection: { outbox: 0 } }),
  );
  app.patch<{ Params: { id: string }; Body: { homeAddress: string } }>('/addresses/:id', ({ params, body }) =>
    addressBooks.findOneAndUpdate(
      { _id: params.id },
      {
        $set: { 'addresses.0.homeAddress': body.homeAddress, 'addresses.0.updatedAt': new Date() },
        $inc: { version: 1 },
      },
      { returnDocument: 'after', projection: { outbox: 0 } },
    ),
  );
  app.get('/categories', () =>
    categories
      .find({ visible: true }, { projection: { outbox: 0 }, hint: 'ordered' })
      .sort({ position: 1, nameKey: 1, _id: 1 })
      .limit(11)
      .toArray(),
  );
  app.get('/products', () =>
    products
      .find({ status: 'active' }, { projection: { outbox: 0 }, hint: 'status_newest' })
      .sort({ createdAt: -1, _id: -1 })
      .limit(21)
      .toArray(),
  );

  /** As many documents in one transaction as a redemption writes. */
  app.post<{ Body: BareRedemption }>('/redemptions', async ({ body }, reply) => {
    const { orderRef, userId, countedFor, lines, codes: used = [] } = body;
    const redemption = { _id: orderRef, userId, status: 'confirmed', lines, createdAt: new Date() };
    const taken = { $inc: { redemptions: 1, amount: 100 } };
    await databaseOf('engagement').client.withSession((session) =>
      session.withTransaction(async () => {
        await redemptions.insertOne(redemption, { session });
        await usage.updateOne({ _id: countedFor }, taken, { session, upsert: true });
        await shoppers.updateOne({ _id: userId }, taken, { session, upsert: true });
        for (const code of used)
          await codes.updateOne({ _id: `${code} of ${countedFor}` }, { $inc: { uses: 1 } }, { session, upsert: true });
      }),
    );
    return reply.code(201).send(redemption);
  });
}

interface BareRedemption {
  readonly orderRef: string;
  readonly userId: string;
  /** The id of the document that counts what is used. */
  readonly countedFor: string;
  readonly lines: readonly object[];
  readonly codes?: readonly string[];
}
