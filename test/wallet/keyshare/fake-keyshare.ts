/** A keyshare server for the suites of the wallet. Its calculations are right. It has no time, blocks or store, and a test can replace its answers. Its login sessions run on a real session server. @module */
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { appClaims, checkLoginStart, selfSignedClaims, userNameIn } from '../../../accounts/app-jwts.ts'
import { triesLeft } from '../../../accounts/pin-attempts.ts'
import { signAuthentication, signProof } from '../../../accounts/server-jwts.ts'
import { respondAlone, respondTogether } from '../../../crypto/keyshare/respond.ts'
import { drawKeyshareSecret, drawRandomizer, powerOfSecret } from '../../../crypto/keyshare/secrets.ts'
import { challengeOf, type IssuerKeyName, isCommittedInput } from '../../../crypto/keyshare/user-input.ts'
import { listen } from '../../../demo/listen.ts'
import { closeListener } from '../../../http/listen.ts'
import { parseIssuerId } from '../../../protocol/ids.ts'
import { writeJson } from '../../../protocol/json.ts'
import * as answers from '../../../protocol/keyshare/answers.ts'
import { readChallenge, readPin, readPinChange } from '../../../protocol/keyshare/claims.ts'
import {
  parseChallenge,
  parseHashedCommitmentsRequest,
  parseKeysRequest,
  parseResponseRequest,
} from '../../../protocol/keyshare/proof-requests.ts'
import type { PublicKeyId } from '../../../protocol/keyshare/public-key-ids.ts'
import type { JsonObject } from '../../../protocol/shape.ts'
import { PROJECT } from '../../project.ts'
import { arithmetic } from '../demo-wallets.ts'
import { schemes } from '../support.ts'

type KeyshareCall = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Reply = { readonly status: number; readonly body: string }
export type Answer = (own: () => Promise<Reply>) => Reply | null | Promise<Reply | null>

export type FakeKeyshare = {
  /** in the order of the calls */
  readonly asked: readonly KeyshareCall[]
  /** Replaces the answers to the next calls of this path, one each; null breaks the connection. */
  instead(path: string, ...by: readonly Answer[]): void
  /** a fetch for the wallet that sends calls for the scheme's address to this server */
  readonly fetch: typeof fetch
  /** replacements that are not used up yet */
  readonly pending: ReadonlyMap<string, readonly Answer[]>
  /** makes the pointer to the session of a login credential, on a real server */
  offer: (userName: string) => Promise<string>
  /** validity of tokens in seconds */
  validitySec: number
  /** false: a server from before the second version of the proofs, which has only getPs of it */
  hasSecondVersion: boolean
  close(): Promise<void>
}

type Commitment = { readonly wk: bigint; readonly last: PublicKeyId; readonly hashedComms?: Uint8Array }

type Account = {
  readonly userName: string
  readonly key: Uint8Array
  readonly mk: bigint
  readonly tokenId: Uint8Array
  pin: string
  attempts: number
  challenge: Buffer | null
  commitment: Commitment | null
}

const pem = readFileSync(join(PROJECT, 'test/vectors/keys/kss-0.private.pem'))
const privateKey = createPrivateKey(pem)
export const signer = { issuer: 'fake', kid: 0, privateKey, publicKey: createPublicKey(privateKey) }

export function reply(body: object | string, status = 200): Reply {
  return { status, body: typeof body === 'string' ? body : writeJson(body) }
}

export function refusal(status: number, error: string): () => Reply {
  return () => reply({ status, error }, status)
}

type State = {
  readonly fake: Pick<FakeKeyshare, 'offer' | 'validitySec' | 'hasSecondVersion'>
  readonly accounts: Map<string, Account>
  readonly nowSec: () => number
}

/** @param address of the scheme's keyshare server
 *  @param nowSec the time of the wallet */
export async function startFakeKeyshare(address: string, nowSec: () => number): Promise<FakeKeyshare> {
  const accounts = new Map<string, Account>()
  const asked: KeyshareCall[] = []
  const pending = new Map<string, Answer[]>()
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers, body })
    const [by = (own: () => Promise<Reply>) => own(), ...rest] = pending.get(path) ?? []
    pending.set(path, rest)
    send(response, await by(() => handle({ fake, accounts, nowSec }, path, body, request.headers)))
  })
  const url = await listen(server, 0, '127.0.0.1')
  const fake: FakeKeyshare = {
    asked,
    pending,
    validitySec: 900,
    hasSecondVersion: true,
    instead: (path, ...by) => pending.set(path, [...(pending.get(path) ?? []), ...by]),
    fetch: (input, init) => fetch(String(input).replace(address, url), init),
    offer: async () => {
      throw new Error('expected a test that says where login credentials are issued')
    },
    close: () => closeListener(server),
  }
  return fake
}

async function handle(
  state: State,
  path: string,
  body: string,
  headers: IncomingMessage['headers'],
): Promise<Reply> {
  const json = body.startsWith('{') ? (JSON.parse(body) as Record<string, string>) : {}
  switch (path) {
    case '/client/register': {
      const { claims, deviceKey } = await selfSignedClaims(json.enrollment_jwt ?? '', state.nowSec())
      return register(state, claims, deviceKey)
    }
    case '/users/verify_start':
      return start(state, json.auth_request_jwt ?? '')
    case '/users/verify/pin_challengeresponse':
      return logIn(state, json.auth_response_jwt ?? '')
    case '/users/change/pin':
      return changePin(state, json.change_pin_jwt ?? '')
    case '/users/renewKeyshareAttribute':
      return reply(await state.fake.offer(authenticated(state, headers).userName))
    default:
      return prove(state, path, body, authenticated(state, headers))
  }
}

async function register({ fake, accounts }: State, claims: JsonObject, key: Uint8Array): Promise<Reply> {
  const userName = randomBytes(6).toString('hex')
  const facts = { userName, key, mk: drawKeyshareSecret(randomBytes), tokenId: randomBytes(32) }
  const account = { ...facts, pin: readPin(claims), attempts: 0, challenge: null, commitment: null }
  accounts.set(userName, account)
  return reply(await fake.offer(userName))
}

async function accountOf(
  { accounts, nowSec }: State,
  jwt: string,
): Promise<{ account: Account; claims: JsonObject }> {
  const account = accounts.get(userNameIn(jwt))
  if (!account) throw new Error('expected a user that is known')
  return { account, claims: await appClaims(jwt, account.key, nowSec()) }
}

async function start(state: State, jwt: string): Promise<Reply> {
  const { account } = await accountOf(state, jwt)
  await checkLoginStart(jwt, account.key, state.nowSec())
  account.challenge = randomBytes(32)
  return reply(answers.loginChallenge(account.challenge))
}

async function logIn(state: State, jwt: string): Promise<Reply> {
  const { account, claims } = await accountOf(state, jwt)
  const { challenge } = account
  if (!challenge?.equals(readChallenge(claims))) return refusal(409, 'MISSING_CHALLENGE')()
  account.challenge = null
  if (!isRight(account, readPin(claims))) return reply(refused(account))
  const times = { nowSec: state.nowSec(), validitySec: state.fake.validitySec }
  return reply(answers.loginSucceeded(await signAuthentication(account.tokenId, times, signer), 'plural'))
}

async function changePin(state: State, jwt: string): Promise<Reply> {
  const { account, claims } = await accountOf(state, jwt)
  const { oldPin, newPin } = readPinChange(claims)
  if (!isRight(account, oldPin)) return reply(refused(account))
  account.pin = newPin
  return reply(answers.pinChanged('plural'))
}

function isRight(account: Account, pin: string): boolean {
  account.attempts = account.pin === pin ? 0 : account.attempts + 1
  return account.attempts === 0
}

function refused({ attempts }: Account): object {
  const left = triesLeft(attempts)
  return answers.pinRefused(
    left > 0 ? { status: 'failure', triesLeft: left } : { status: 'error', waitSec: 60 },
  )
}

/** The user name alone gives access here; a real server checks the token. */
function authenticated({ accounts }: State, headers: IncomingMessage['headers']): Account {
  const account = accounts.get(
    String(headers['x-irma-keyshare-username'] ?? headers['x-svc-keyshare-username']),
  )
  if (!account || !headers.authorization) throw new Error('expected a user who has logged in')
  return account
}

async function prove(state: State, path: string, body: string, account: Account): Promise<Reply> {
  if (path === '/prove/getResponse') return respond(state, account, parseChallenge(body))
  const isSecond = path.startsWith('/api/v2/') && path !== '/api/v2/prove/getPs'
  if (isSecond) return state.fake.hasSecondVersion ? proveTogether(state, path, body, account) : NO_PATH()
  const keys = parseKeysRequest(body)
  const withP = keys.map(key => ({ key, P: powerOfSecret(keyOf(key), account.mk, arithmetic) }))
  if (path === '/api/v2/prove/getPs') return reply(answers.publicParts(withP))
  const wk = drawRandomizer(keys.map(keyOf), randomBytes)
  const last = keys.at(-1)
  if (path !== '/prove/getCommitments' || !last) throw new Error(`unexpected ${path}`)
  account.commitment = { wk, last }
  return reply(
    answers.commitments(
      withP.map(each => ({ ...each, Pcommit: powerOfSecret(keyOf(each.key), wk, arithmetic) })),
    ),
  )
}

async function respond({ nowSec }: State, account: Account, c: bigint): Promise<Reply> {
  const { mk, commitment } = account
  account.commitment = null
  if (!commitment) return refusal(409, 'MISSING_COMMITMENT')()
  const P = powerOfSecret(keyOf(commitment.last), mk, arithmetic)
  return reply(await signProof(respondAlone(c, P, { mk, wk: commitment.wk }), nowSec(), signer))
}

const NO_PATH = refusal(404, 'INVALID_REQUEST')

/** The second version. */
async function proveTogether(
  { nowSec }: State,
  path: string,
  body: string,
  account: Account,
): Promise<Reply> {
  if (path === '/api/v2/prove/getCommitments') {
    const { keys, hashedComms } = parseHashedCommitmentsRequest(body)
    const wk = drawRandomizer(keys.map(keyOf), randomBytes)
    const last = keys.at(-1)
    account.commitment = last ? { wk, last, hashedComms } : null
    const power = (key: PublicKeyId) => powerOfSecret(keyOf(key), wk, arithmetic)
    return reply(answers.hashedCommitments(keys.map(key => ({ key, Pcommit: power(key) }))))
  }
  const { mk, commitment } = account
  account.commitment = null
  if (!commitment?.hashedComms) return refusal(409, 'MISSING_COMMITMENT')()
  const { input, userResponse, ...facts } = parseResponseRequest(body)
  if (!isCommittedInput(input, commitment.hashedComms)) return refusal(500, 'INTERNAL_ERROR')()
  const named = ({ issuer, counter }: IssuerKeyName) => keyOf({ issuer: parseIssuerId(issuer), counter })
  const c = challengeOf({ ...facts, input }, commitment.wk, named, arithmetic)
  return reply(await signProof(respondTogether(c, userResponse, { mk, wk: commitment.wk }), nowSec(), signer))
}

function keyOf({ issuer, counter }: PublicKeyId) {
  const key = schemes.publicKey(issuer, counter)
  if (!key) throw new Error(`unknown key ${issuer}-${counter}`)
  return key
}

function send(response: ServerResponse, answer: Reply | null): void {
  if (answer === null) response.destroy()
  else response.writeHead(answer.status).end(answer.body)
}
