/** Sends a request with JSON and returns the JSON of the response. Throws if the status is not 2xx. */
export async function call<Content = Record<string, unknown>>(
  address: string,
  method: string,
  path: string,
  options: { token?: string; body?: object } = {},
): Promise<Content> {
  const { token, body } = options;
  const response = await fetch(new URL(path, address), {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Content;
}

/** Logs in and returns the access token. */
export async function logIn(
  address: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const { accessToken } = await call<{ accessToken: string }>(address, 'POST', '/v1/auth/login', {
    body: { email, password },
  });
  return accessToken;
}
