// The bare server, as a process of its own: the system is compared with it.
import { fastify } from 'fastify';
import mongoose from 'mongoose';
import { databaseName, separatePrefix } from '../database-name.ts';
import { bareRoutes } from './routes.ts';

const connection = await mongoose
  .createConnection(process.argv[2] ?? '', { maxPoolSize: 20, writeConcern: { w: 'majority' } })
  .asPromise();
const app = fastify();
bareRoutes(app, (service) => connection.getClient().db(databaseName(service, separatePrefix)));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(url);
process.once('disconnect', () => process.exit(0));
