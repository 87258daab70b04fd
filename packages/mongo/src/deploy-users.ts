import mongoose from 'mongoose';

/** The user of a service: `made` or `changed` just now, `present` before as wanted, or `failed`. */
export interface DatabaseUserStep {
  readonly what: string;
  readonly was: 'made' | 'changed' | 'present' | 'failed';
  readonly detail?: string;
}

/** The service's name is that of its database, and of its user, who is kept in that database. */
export interface DatabaseUser {
  readonly name: string;
  readonly password: string;
}

const roleName = 'storefront-service';
const authenticationFailed = 18;

/**
 * Gives each service a user of its own, with rights on the service's database alone: to read and write, and to change the rule
 * of a collection. `url` is the address of a user who may make users. Doing it again changes only
 * passwords that differ. A user that fails does not stop the others. Throws where the server does not answer, or refuses `url`.
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
  { name, password }: DatabaseUser,
): Promise<'made' | 'changed' | 'present'> {
  const database = connection.getClient().db(name);
  const { roles } = await database.command({ rolesInfo: roleName });
  await database.command({
    [(roles as unknown[]).length > 0 ? 'updateRole' : 'createRole']: roleName,
    // `readWrite` may make collections and indexes, and not change what a collection holds documents to.
    privileges: [{ resource: { db: name, collection: '' }, actions: ['collMod'] }],
    roles: ['readWrite'],
  });
  const { users } = await database.command({ usersInfo: name });
  const exists = (users as unknown[]).length > 0;
  if (exists && (await canLogIn(url, { name, password }))) return 'present';
  await database.command({ [exists ? 'updateUser' : 'createUser']: name, pwd: password, roles: [roleName] });
  return exists ? 'changed' : 'made';
}

/** Only a login shows whether a password is right. */
async function canLogIn(url: string, { name, password }: DatabaseUser): Promise<boolean> {
  const connection = mongoose.createConnection(url, {
    auth: { username: name, password },
    authSource: name,
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
