import mongoose from 'mongoose';

/** The result for the user of a service: `made` or `changed` by this call, `present` before as wanted, or `failed`. */
export interface DatabaseUserStep {
  readonly what: string;
  readonly was: 'made' | 'changed' | 'present' | 'failed';
  readonly detail?: string;
}

/** A user with rights on one database, which is stored in that database. */
export interface DatabaseUser {
  readonly name: string;
  readonly database: string;
  readonly password: string;
}

const roleName = 'storefront-service';
const authenticationFailed = 18;

/**
 * Gives each service its own user with rights only on the service's database: to read, to write and to change
 * collection rules. `url` is the address of a user who may create users. Running it again changes only passwords that
 * differ. A user that fails does not stop the others. Throws where the server does not answer or refuses `url`.
 */
export async function deployDatabaseUsers(options: {
  readonly url: string;
  readonly users: readonly DatabaseUser[];
}): Promise<DatabaseUserStep[]> {
  const connection = await mongoose.createConnection(options.url, { serverSelectionTimeoutMS: 10_000 }).asPromise();
  try {
    const steps: DatabaseUserStep[] = [];
    for (const user of options.users) {
      const what = `MongoDB user ${user.name}`;
      try {
        steps.push({ what, was: await deployUser(connection, options.url, user) });
      } catch (error) {
        steps.push({ what, was: 'failed', detail: error instanceof Error ? error.message : String(error) });
      }
    }
    return steps;
  } finally {
    await connection.close();
  }
}

async function deployUser(
  connection: mongoose.Connection,
  url: string,
  { name, database: own, password }: DatabaseUser,
): Promise<'made' | 'changed' | 'present'> {
  const database = connection.getClient().db(own);
  const { roles } = await database.command({ rolesInfo: roleName });
  await database.command({
    [(roles as unknown[]).length > 0 ? 'updateRole' : 'createRole']: roleName,
    // The role `readWrite` may create collections and indexes, but not change the validation rule of a collection, so
    // `collMod` is added.
    privileges: [{ resource: { db: own, collection: '' }, actions: ['collMod'] }],
    roles: ['readWrite'],
  });
  const { users } = await database.command({ usersInfo: name });
  const exists = (users as unknown[]).length > 0;
  if (exists && (await canLogIn(url, { name, database: own, password }))) return 'present';
  await database.command({ [exists ? 'updateUser' : 'createUser']: name, pwd: password, roles: [roleName] });
  return exists ? 'changed' : 'made';
}

/** Whether the password is right, which only a login can show. */
async function canLogIn(url: string, { name, database: own, password }: DatabaseUser): Promise<boolean> {
  const connection = mongoose.createConnection(url, {
    auth: { username: name, password },
    authSource: own,
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    await connection.asPromise();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== authenticationFailed) throw error;
    return false;
  } finally {
    await connection.close();
  }
}
