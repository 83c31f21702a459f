/** The schemas of messages from wallet apps, frontends and requestors, except session requests, compared with the readers of the servers in both directions. */
import * as assert from 'uvu/assert'
import type { z } from 'zod'
import { parseCommitmentMessage } from '../../../protocol/commitment-message.ts'
import { parseDisclosureMessage } from '../../../protocol/disclosure-message.ts'
import { RemoteError } from '../../../protocol/errors.ts'
import { parseFrontendOptions } from '../../../protocol/frontend-messages.ts'
import type { JsonValue } from '../../../protocol/json.ts'
import {
  parseChallenge,
  parseHashedCommitmentsRequest,
  parseKeysRequest,
  parseResponseRequest,
} from '../../../protocol/keyshare/proof-requests.ts'
import {
  parseKeyRegistration,
  parseLogin,
  parseLoginStart,
  parsePinChange,
  parsePlainLogin,
  parseRegistration,
} from '../../../protocol/keyshare/signed-bodies.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { parseRevocationRequestText } from '../../../protocol/revocation-request.ts'
import { parseSignedMessage } from '../../../protocol/signed-message.ts'
import { appMessageSchemas } from '../../../protocol/wire/app-messages.ts'
import { KEYSHARE_BODIES } from '../../../protocol/wire/keyshare.ts'
import { revocationRequest } from '../../../protocol/wire/revocation.ts'
import { suite } from '../../suite.ts'
import { CONTEXT } from '../requests.ts'
import { changed } from './changed.ts'

type Case = {
  readonly schema: z.ZodType
  readonly read: (text: string) => unknown
  readonly samples: readonly JsonValue[]
  readonly members?: readonly string[]
}

const NUMBER = 'EjRW'
const PROOF = {
  c: NUMBER,
  A: NUMBER,
  e_response: NUMBER,
  v_response: 5,
  a_responses: { 0: NUMBER },
  a_disclosed: { 1: NUMBER },
  nonrev_proof: {
    C_r: NUMBER,
    C_u: NUMBER,
    responses: { beta: NUMBER, delta: NUMBER, epsilon: NUMBER, zeta: NUMBER },
    sacc: { data: NUMBER, pk: 1 },
  },
}
const COMMITMENT = { U: 1, c: 1, v_prime_response: 1, s_response: 1, m_user_responses: { 2: NUMBER } }
const INDICES = [[{ cred: 0, attr: 1 }], null]
const TIMESTAMP = {
  Time: 5,
  ServerUrl: 'x',
  Sig: { Alg: 'x', Data: NUMBER, PublicKey: NUMBER },
  Hashing: { Hash: 'x', Prefix: NUMBER },
}
const HASH = Buffer.alloc(32, 7).toString('base64')
const KEYS = ['demo.gov-0', 'demo.gov-12']
const { disclosureMessage, commitmentMessage, signedMessage, frontendOptions } = appMessageSchemas(
  PROFILES.svc,
)
const { registration, loginStart, login, plainLogin, pinChange, keyRegistration } = KEYSHARE_BODIES
const PINS = { id: 'u', pin: '1', oldpin: '1', newpin: '2', email: 'e', language: 'en' }

const KEY_OF_APP = {
  crv: 'P-256',
  kty: 'EC',
  x: 'NOPCjbbLh6wj5igVHIpKq1UYlrWvi7gtv1xgRzudWo8',
  y: 'fbtvPquw_hCwHVn8wTv9ySLtbSojVaNHgnrLJ-0zoeQ',
}

const CASES: Readonly<Record<string, Case>> = {
  'disclosure message': {
    schema: disclosureMessage,
    read: text => parseDisclosureMessage(text),
    samples: [{ proofs: [PROOF], indices: INDICES }],
  },
  'commitment message': {
    schema: commitmentMessage,
    read: text => parseCommitmentMessage(text),
    samples: [
      {
        n_2: NUMBER,
        combinedProofs: [PROOF, COMMITMENT],
        proofPJwts: { x: 'y' },
        proofPJwt: 'x',
        indices: INDICES,
        keybinding_pub_keys: [KEY_OF_APP],
      },
    ],
  },
  'signed message': {
    schema: signedMessage,
    read: text => parseSignedMessage(text, PROFILES.svc.contextBase),
    samples: [
      {
        '@context': 'https://svc.example/ld/signature/v2',
        signature: [PROOF],
        indices: INDICES,
        nonce: NUMBER,
        context: 1,
        message: 'x',
        timestamp: TIMESTAMP,
      },
    ],
  },
  'frontend options': {
    schema: frontendOptions,
    read: text => parseFrontendOptions(text, PROFILES.svc),
    samples: [{ '@context': `${CONTEXT}/frontendoptions/v1`, pairingMethod: 'pin' }],
  },
  'request to revoke': {
    schema: revocationRequest(PROFILES.svc),
    read: text => parseRevocationRequestText(text, PROFILES.svc),
    samples: [
      { '@context': `${CONTEXT}/revocation/v1`, type: 'demo.gov.permit', revocationKey: 'k', issued: 7 },
    ],
  },
  registration: {
    schema: registration,
    read: parseRegistration,
    samples: [{ enrollment_jwt: 'a' }, { pin: '1', email: 'e', language: 'en' }],
    members: ['enrollment_jwt', 'publickey', ...Object.keys(PINS)],
  },
  'start of a login': { schema: loginStart, read: parseLoginStart, samples: [{ auth_request_jwt: 'a' }] },
  login: { schema: login, read: parseLogin, samples: [{ auth_response_jwt: 'a' }] },
  'login without a signature': {
    schema: plainLogin,
    read: parsePlainLogin,
    samples: [{ id: 'u', pin: '1' }],
    members: ['auth_response_jwt'],
  },
  'change of a PIN': {
    schema: pinChange,
    read: parsePinChange,
    samples: [{ change_pin_jwt: 'a' }, { id: 'u', oldpin: '1', newpin: '2' }],
    members: ['change_pin_jwt', ...Object.keys(PINS)],
  },
  'registration of a key': { schema: keyRegistration, read: parseKeyRegistration, samples: [{ jwt: 'a' }] },
  'list of keys': { schema: KEYSHARE_BODIES.keys, read: parseKeysRequest, samples: [KEYS] },
  'list of keys with a hash': {
    schema: KEYSHARE_BODIES.hashedCommitments,
    read: parseHashedCommitmentsRequest,
    samples: [{ keys: KEYS, hw: { hashedComms: HASH } }],
  },
  challenge: { schema: KEYSHARE_BODIES.challenge, read: parseChallenge, samples: [NUMBER, 5] },
  'request for a response': {
    schema: KEYSHARE_BODIES.response,
    read: parseResponseRequest,
    samples: [
      {
        context: NUMBER,
        nonce: NUMBER,
        resp: NUMBER,
        sig: true,
        UserChallengeInput: [{ key: 'demo.gov-0', val: NUMBER, comm: NUMBER, otherComms: [NUMBER] }],
      },
    ],
  },
}

function isTaken(read: Case['read'], json: JsonValue): boolean {
  try {
    read(JSON.stringify(json))
    return true
  } catch (error) {
    if (error instanceof RemoteError) return false
    throw error
  }
}

const Schemas = suite('schemas of messages')

for (const [name, { schema, read, samples, members = [] }] of Object.entries(CASES))
  Schemas(`the schema accepts a ${name}, and the same changed forms as the reader`, () => {
    for (const sample of samples) {
      assert.is(isTaken(read, sample), true)
      assert.equal(schema.safeParse(sample).error?.issues, undefined)
      const apart = [...changed(sample, members)].filter(
        json => schema.safeParse(json).success !== isTaken(read, json),
      )
      assert.equal(apart.map(json => JSON.stringify(json)).slice(0, 5), [])
    }
  })

Schemas.run()
