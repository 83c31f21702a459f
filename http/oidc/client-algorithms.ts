/** The algorithms of the assertions of clients, by the kind of their key: RSA, or a curve. The provider takes these, and the settings refuse every other key. @module */

export const CLIENT_ALGORITHMS = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['Ed25519', 'EdDSA'],
} as const satisfies Readonly<Record<string, readonly string[]>>
