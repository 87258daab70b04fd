import { isSuccess, type Call, type Client, type Reply } from './client.ts';

/** Somebody with an account who logs in as needed, such as the administrator. */
export interface AdminClient {
  /** Calls as this user. Logs in also where the token has expired between two tries. */
  call(method: string, path: string, call?: Omit<Call, 'token'>): Promise<Reply>;
  /** Makes one try at one gateway. */
  once(gateway: string, method: string, path: string, call?: { body?: object }): Promise<Reply>;
}

/** Whether the token was not valid any more. What everybody may read is answered as to everybody then. */
const isForNobody = ({ status, isTokenIgnored }: Reply) => status === 401 || isTokenIgnored;

/** Calls as the user with this email and password. */
export function createAdmin(
  client: Client,
  { email, password }: { readonly email: string; readonly password: string },
): AdminClient {
  let token: Promise<string | undefined> | undefined;
  const logIn = async () => {
    const reply = await client.call('POST', '/v1/auth/login', { body: { email, password } });
    return isSuccess(reply) ? (reply.body.accessToken as string) : undefined;
  };
  async function withToken(send: (token: string | undefined) => Promise<Reply>): Promise<Reply> {
    token ??= logIn();
    const used = token;
    const reply = await send(await used);
    // The next call logs in again. Concurrent calls share that login.
    if (isForNobody(reply) && token === used) token = undefined;
    return reply;
  }
  return {
    async call(method, path, call = {}) {
      const send = () => withToken((used) => client.call(method, path, { ...call, token: used }));
      const reply = await send();
      if (!isForNobody(reply)) return reply;
      const again = await send();
      return { ...again, uncertainTries: reply.uncertainTries + again.uncertainTries };
    },
    once: (gateway, method, path, call = {}) =>
      withToken((used) => client.once(gateway, method, path, { ...call, token: used })),
  };
}
