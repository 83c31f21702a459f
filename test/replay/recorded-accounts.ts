/** The accounts of a recorded keyshare server, and its random values for them, for each exchange. w_k and the token ids are not in the recording, but they
 *  follow from the answers: w_k = s_response - c*m_k, and the answer to a login contains the token id. @module */
import { fromBase64, integerOf } from '../../crypto/bytes.ts'
import { STORED_RECORDS, type StoredRecord } from '../crypto/keyshare/recorded.ts'
import { stringAt } from './json-text.ts'
import { readJwt } from './jwt-text.ts'
import type { Bodies, RawExchange } from './raw-exchange.ts'

export type RecordedAccount = Pick<
  StoredRecord,
  'username' | 'pin' | 'keyshareSecret' | 'devicePublicKey'
> & {
  /** Base64; the first one is from the registration, each later one from a change of PIN */
  readonly tokenIds: readonly string[]
}

export type KeyshareRandomness = {
  readonly userName: string
  /** the random values that the call draws, in their order, without nonces of encryption; null if the value is unknown */
  readonly values: readonly (bigint | null)[]
}

/** An invented user name of 12 characters, if the recording has none. */
const unseenName = (n: number): string => `unrecord${String(n).padStart(4, '0')}`

/** One recorded file. */
type Recording = { readonly exchanges: readonly RawExchange[]; readonly bodies: readonly Bodies[] }

/** The accounts that existed before a recording began. */
export function earlierAccounts(file: string, recording: Recording): readonly RecordedAccount[] {
  const registered = recording.exchanges.flatMap((_, i) => registeredName(i, recording) ?? [])
  return STORED_RECORDS.filter(({ username }) => !registered.includes(username))
    .filter(({ occursIn }) => file.endsWith(occursIn.find(name => file.endsWith(name)) ?? '?'))
    .map(record => accountOf(record, recording))
}

function accountOf(record: StoredRecord, { exchanges, bodies }: Recording): RecordedAccount {
  const answered = exchanges.flatMap((exchange, i) => {
    const isLogin = exchange.request.path.endsWith('/pin_challengeresponse')
    const jwt = isLogin ? readJwt(stringAt(bodies[i]?.response, 'message') ?? '') : null
    const isOfUser = claimsOf(bodies[i], 'auth_response_jwt').id === record.username
    return jwt && isOfUser ? [String(JSON.parse(jwt.payload).token_id)] : []
  })
  return { ...record, tokenIds: [...new Set([...answered, record.tokenId])] }
}

/** The values by call. Registration: m_k, the token id. Start of a login: the challenge. Change of PIN: the token id. Commitments: w_k. */
export function keyshareRandomnessOf(index: number, recording: Recording): KeyshareRandomness {
  const { exchanges, bodies } = recording
  const exchange = exchanges[index]
  const userName = unseenName(exchange?.n ?? 0)
  if (exchange?.response?.status !== 200) return { userName, values: [] }
  const { path } = exchange.request
  if (path.endsWith('/client/register')) return registrationAt(index, userName, recording)
  if (path.endsWith('/verify_start')) {
    const challenge = stringAt(bodies[index]?.response, 'challenge') ?? ''
    return { userName, values: [integerOf(Buffer.from(challenge, 'base64'))] }
  }
  if (path.endsWith('/change/pin')) return { userName, values: [tokenIdOfChange(index, recording)] }
  if (path.endsWith('/getCommitments')) return { userName, values: [randomizerOf(index, recording)] }
  return { userName, values: [] }
}

/** True if an exchange answers with powers of a w_k that is unknown. */
export function hasUnseenPowers(index: number, recording: Recording): boolean {
  const isOfCommitments = recording.exchanges[index]?.request.path.endsWith('/getCommitments') ?? false
  return isOfCommitments && keyshareRandomnessOf(index, recording).values.includes(null)
}

/** An answer to a request for commitments, without its powers of w_k. */
export function withoutPowers(text: string): string {
  return text.replace(/("Pcommit"|"[\w.-]+-\d+"):"[\w+/]+=*"/g, '$1:"a number"')
}

function registrationAt(index: number, unseen: string, recording: Recording): KeyshareRandomness {
  const userName = registeredName(index, recording)
  const record = STORED_RECORDS.find(({ username }) => username === userName)
  if (!record) return { userName: userName ?? unseen, values: [null, null] }
  const { username, keyshareSecret, tokenIds } = accountOf(record, recording)
  // the bit beyond the length of m_k is discarded
  return { userName: username, values: [fromBase64(keyshareSecret) << 1n, integerOfBytes(tokenIds[0])] }
}

/** An app that registers gets its user name from the session that follows. */
function registeredName(index: number, { exchanges, bodies }: Recording): string | null {
  const exchange = exchanges[index]
  if (!exchange?.request.path.endsWith('/client/register')) return null
  const session = stringAt(bodies[index]?.response, 'u')?.split('/').at(-1)
  const asked = exchanges.findIndex(({ request }) => session && request.path.includes(session))
  const [credential] =
    bodies[asked]?.response?.members.get('request')?.members.get('credentials')?.items ?? []
  return stringAt(credential, 'attributes', 'username')
}

function tokenIdOfChange(index: number, recording: Recording): bigint | null {
  const { exchanges, bodies } = recording
  const { id } = claimsOf(bodies[index], 'change_pin_jwt')
  const record = STORED_RECORDS.find(({ username }) => username === id)
  if (!record || stringAt(bodies[index]?.response, 'status') !== 'success') return null
  const changes = exchanges
    .slice(0, index + 1)
    .filter(
      ({ request }, i) =>
        request.path.endsWith('/change/pin') &&
        stringAt(bodies[i]?.response, 'status') === 'success' &&
        claimsOf(bodies[i], 'change_pin_jwt').id === id,
    )
  return integerOfBytes(accountOf(record, recording).tokenIds[changes.length])
}

/** @returns null if there was no response */
function randomizerOf(index: number, { exchanges, bodies }: Recording): bigint | null {
  const nameIn = (exchange: RawExchange | undefined): string | undefined =>
    exchange?.request.headers?.['x-irma-keyshare-username']
  const userName = nameIn(exchanges[index])
  const next = exchanges.findIndex(
    (each, i) =>
      i > index &&
      nameIn(each) === userName &&
      each.response?.status === 200 &&
      /\/get(Commitments|Response|ResponseLinkable)$/.test(each.request.path),
  )
  const answer = readJwt(exchanges[next]?.response?.raw ?? '')
  const record = STORED_RECORDS.find(({ username }) => username === userName)
  if (!answer || !record) return null
  const { P, c, s_response } = JSON.parse(answer.payload).ProofP
  const ofUser = P === undefined ? fromBase64(stringAt(bodies[next]?.request, 'resp') ?? '') : 0n
  return fromBase64(s_response) - ofUser - fromBase64(c) * fromBase64(record.keyshareSecret)
}

function claimsOf(exchange: Bodies | undefined, member: string): Readonly<Record<string, unknown>> {
  const jwt = readJwt(stringAt(exchange?.request, member) ?? '')
  return jwt ? JSON.parse(jwt.payload) : {}
}

function integerOfBytes(base64: string | undefined): bigint | null {
  return base64 === undefined ? null : integerOf(Buffer.from(base64, 'base64'))
}
