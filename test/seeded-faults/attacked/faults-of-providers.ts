/** Faults of the OpenID provider: in the configuration of its protocol engine, in its records, and in its own endpoints and pages. @module */
import type { AttackedFault } from './attacked-fault.ts'

export const FAULTS_OF_PROVIDERS: readonly AttackedFault[] = [
  {
    attack: 'code-injected',
    title: 'A login without PKCE',
    edits: [['http/oidc/provider.js', 'pkce: { required: () => true },', 'pkce: { required: () => false },']],
  },
  {
    attack: 'code-injected',
    title: 'A stored code without its code challenge',
    edits: [
      [
        'http/oidc/adapter.js',
        'find: id => adapter.find(id),',
        "find: async id => { const found = await adapter.find(id); return kind === 'AuthorizationCode' && found ? { ...found, codeChallenge: undefined } : found; },",
      ],
    ],
  },
  {
    attack: 'code-injected',
    title: 'A token request that is accepted without redirect_uri',
    edits: [
      [
        'http/oidc/provider.js',
        'allowOmittingSingleRegisteredRedirectUri: false,',
        'allowOmittingSingleRegisteredRedirectUri: true,',
      ],
    ],
  },
  {
    attack: 'code-replayed',
    title: 'A code that two nodes redeem',
    edits: [
      [
        'actors/oidc/records.js',
        'if (!before || !payload || this.#knownIn(before).consumed !== undefined)',
        'if (!before || !payload)',
      ],
    ],
  },
  {
    attack: 'code-replayed',
    title: 'Tokens that outlive the second use of their code',
    edits: [
      ['http/oidc/adapter.js', 'if (grantId !== undefined)', 'if (false)'],
      [
        'http/oidc/adapter.js',
        'revokeByGrantId: grantId => adapter.revokeByGrantId(grantId),',
        'revokeByGrantId: async () => {},',
      ],
      [
        'http/oidc/adapter.js',
        'destroy: id => adapter.destroy(id),',
        "destroy: async id => { if (kind !== 'Grant') await adapter.destroy(id); },",
      ],
    ],
  },
  {
    attack: 'code-replayed',
    title: 'A first use of a code that ends in a server error because of the second one',
    edits: [
      [
        'http/oidc/provider.js',
        "new errors.InvalidGrant('subject: expected a login of this client, got none')",
        "new Error('no login')",
      ],
    ],
  },
  {
    attack: 'code-replayed',
    title: 'A client assertion that two nodes accept',
    edits: [
      [
        'actors/oidc/records.js',
        "const STORED_ONCE = ['ReplayDetection', PAIRING_TRY];",
        'const STORED_ONCE = [PAIRING_TRY];',
      ],
    ],
  },
  {
    attack: 'code-replayed',
    title: 'A pushed request that is used again',
    edits: [
      [
        'http/oidc/adapter.js',
        'const consume = id =>',
        "const consume = id => kind === 'PushedAuthorizationRequest' ? Promise.resolve() :",
      ],
    ],
  },
  {
    attack: 'provider-mixed-up',
    title: 'Addresses taken from the headers of a request',
    edits: [
      ['http/oidc/mount-provider.js', "if (name.startsWith('x-forwarded-'))", 'if (false)'],
      ['http/oidc/mount-provider.js', "req.headers['x-forwarded-proto'] = protocol.slice(0, -1);", ''],
    ],
  },
  {
    attack: 'provider-mixed-up',
    title: 'An error response without the issuer',
    edits: [
      [
        'http/oidc/open-page.js',
        'return redirectBrowser(ctx, await endWith(ctx, asked, deps));',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the program
        "return redirectBrowser(ctx, `${paramOf(interaction, 'redirect_uri')}?error=${asked.error}&state=${paramOf(interaction, 'state')}`);",
      ],
    ],
  },
  {
    attack: 'redirect-elsewhere',
    title: 'A redirect URI that is compared by its beginning',
    edits: [
      [
        'http/oidc/provider.js',
        'provider.proxy = true;',
        'provider.proxy = true; provider.Client.prototype.redirectUriAllowed = function (uri) { return this.redirectUris.some(own => uri.startsWith(own)); };',
      ],
    ],
  },
  {
    attack: 'redirect-elsewhere',
    title: 'A logout that redirects to any address on the host of the site',
    edits: [
      [
        'http/oidc/provider.js',
        'provider.proxy = true;',
        "provider.proxy = true; provider.Client.prototype.postLogoutRedirectUriAllowed = function (uri) { return this.postLogoutRedirectUris.some(own => new URL(own).host === (URL.canParse(uri) ? new URL(uri).host : '')); };",
      ],
    ],
  },
  {
    attack: 'sign-in-taken-over',
    title: 'A cookie that opens every login',
    edits: [['http/oidc/interaction.js', 'found === null || found.uid !== ctx.params.uid', 'found === null']],
  },
  {
    attack: 'sign-in-taken-over',
    title: 'A cookie without a signature',
    edits: [['http/oidc/provider.js', 'signed: true,', 'signed: false,']],
  },
  {
    attack: 'sign-in-taken-over',
    title: 'A form of another site that the sign-in page accepts',
    edits: [['http/oidc/routes.js', 'requireOwnForm(ctx, { pageUrl });', '']],
  },
  {
    attack: 'sign-in-relayed',
    title: 'A login on a desktop that needs no pairing',
    edits: [
      [
        'http/oidc/begin-session.js',
        'disclosures.open(request, !onPhone,',
        'disclosures.open(request, false,',
      ],
    ],
  },
  {
    attack: 'sign-in-relayed',
    title: 'Guesses of a pairing code that each node counts by itself',
    edits: [
      [
        'actors/oidc/records.js',
        "const STORED_ONCE = ['ReplayDetection', PAIRING_TRY];",
        "const STORED_ONCE = ['ReplayDetection'];",
      ],
    ],
  },
  {
    attack: 'sign-in-relayed',
    title: 'A login on a phone that ends without the return from the app',
    edits: [['http/oidc/finish.js', 'if (returnSecret !== null && !hasReturned)', 'if (false)']],
  },
  {
    attack: 'sign-in-framed',
    title: 'A page of the provider that another site may frame',
    edits: [['http/oidc/answer-page.js', "ctx.set('X-Frame-Options', 'DENY');", '']],
  },
  {
    attack: 'sign-in-framed',
    title: 'A policy without frame-ancestors',
    edits: [['http/oidc/answer-page.js', '    "frame-ancestors \'none\'",\n', '']],
  },
  {
    attack: 'sign-in-framed',
    title: 'Addresses of the provider in Referer',
    edits: [['http/oidc/answer-page.js', "ctx.set('Referrer-Policy', 'no-referrer');", '']],
  },
  {
    attack: 'sign-in-leaked',
    title: 'URLs of requests in the log',
    edits: [
      [
        'http/log-requests.js',
        'const line = { method, route, status,',
        'const line = { method, route, url: ctx.url, status,',
      ],
    ],
  },
]
