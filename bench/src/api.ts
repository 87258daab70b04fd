/** Sends one request with JSON in and out; throws where the answer is no 2xx. */
export async function call<Answer = Record<string, unknown>>(
  address: string,
  method: string,
  path: string,
  options: { token?: string; body?: object } = {},
): Promise<Answer> {
  const { token, body } = options;
  const answer = await fetch(new URL(path, address), {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Answer;
}

/** Logs in; the access token. */
export async function logIn(address: string, account: { email: string; password: string }): Promise<string> {
  const { email, password } = account;
  const answer = await call<{ accessToken: string }>(address, 'POST', '/v1/auth/login', { body: { email, password } });
  return answer.accessToken;
}
