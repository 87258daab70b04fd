import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';

export interface Ceremony {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether it asks for a fingerprint, a face or a PIN. */
  readonly verifiesUser?: boolean;
}

/** A passkey in software: what a browser would answer, without a browser. */
export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const };
  // COSE: an EC2 key for ES256 on P-256.
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  let counter = 0;

  const clientData = (type: string, { challenge, origin = 'http://localhost:3000' }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  function authenticatorData({ rpId = 'localhost', verifiesUser = true }: Ceremony, attested = Buffer.alloc(0)) {
    const flags = 0x01 | (verifiesUser ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([hash('sha256', rpId, 'buffer'), head, attested]);
  }

  return {
    credential,
    /** Sets how often it says that it was used. */
    setCounter: (value: number) => void (counter = value),

    create(ceremony: Ceremony) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const data = authenticatorData(ceremony, Buffer.concat([Buffer.alloc(16), length, id, coseKey]));
      const size = Buffer.alloc(2);
      size.writeUInt16BE(data.length);
      // CBOR: { fmt: 'none', attStmt: {}, authData }.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from('59', 'hex'),
        size,
        data,
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },

    get(ceremony: Ceremony, userId: string | null) {
      counter += 1;
      const data = authenticatorData(ceremony);
      const client = clientData('webauthn.get', ceremony);
      const signature = sign('sha256', Buffer.concat([data, hash('sha256', client, 'buffer')]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userId === null ? {} : { userHandle: Buffer.from(userId).toString('base64url') }),
        },
      };
    },
  };
}
