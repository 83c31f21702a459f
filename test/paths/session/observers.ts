/** Compares every view of a session with its model: its row, the status and the result that callers read, and the streams that were opened at its
 *  creation. @module */
import * as assert from 'uvu/assert'
import type { SessionRow } from '../../../stores/session-store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import type { Client } from '../../http/client.ts'
import type { ServerOfTest, SessionOfTest } from '../../http/harness.ts'
import { until } from '../until.ts'
import type { SessionModel } from './model.ts'

/** The frames of a stream so far; null marks the end by the server. */
type Followed = { readonly frames: (string | null)[]; leave(): void }

export type Observers = {
  /** the number of changes of status before the observers subscribed */
  readonly since: number
  /** the stream begins with the last change, because no earlier answer to the same caller contained it */
  readonly isTold: Readonly<Record<'requestor' | 'app' | 'frontend', boolean>>
  readonly requestor: Followed
  readonly app: Followed
  readonly frontend: Followed
  /** a frontend that reconnects with the first status as its `Last-Event-ID` */
  readonly returned: Followed
}

const FINAL: readonly (string | null)[] = ['DONE', 'CANCELLED', 'TIMEOUT']
const UNKNOWN = 'SESSION_UNKNOWN'

async function follow(client: Client, path: string, headers?: Record<string, string>): Promise<Followed> {
  const stream = await client.open(path, headers)
  const frames: Followed['frames'] = []
  const pump = async (): Promise<void> => {
    for (let frame: string | null = ''; frame !== null; ) {
      frame = await stream.next()
      frames.push(frame)
    }
  }
  pump().catch(error => frames.push(`broken: ${error}`))
  return { frames, leave: stream.leave }
}

const NOT_TOLD = { requestor: false, app: false, frontend: false }

/** Which streams begin with the current status after a restart has emptied the memory of the node (spec/decisions#streams).
 *  @param row as it is stored */
export function toldAtOpening(
  { changes, context }: SessionModel,
  { answered, claim }: SessionRow,
): Observers['isTold'] {
  const status = changes.at(-1) ?? 'INITIALIZED'
  if (status === 'INITIALIZED' || status === 'PAIRING') return NOT_TOLD
  const hasFetched = status === 'CONNECTED' && context.isFetched
  const hasAnswer = answered !== null || claim !== null || hasFetched || status === 'DONE'
  const before = changes.slice(0, -1)
  const app = !hasAnswer && (before.includes('PAIRING') || before.includes('CONNECTED'))
  return { requestor: true, frontend: true, app }
}

/** @param since number of changes of status so far */
export async function observe(
  client: Client,
  session: SessionOfTest,
  since = 0,
  isTold: Observers['isTold'] = NOT_TOLD,
): Promise<Observers> {
  const [requestor, app, frontend, returned] = await Promise.all([
    follow(client, `${session.requestor}/statusevents`),
    follow(client, `${session.app}/statusevents`),
    follow(client, `${session.frontend}/statusevents`, session.authorization),
    follow(client, `${session.frontend}/statusevents`, {
      ...session.authorization,
      'Last-Event-ID': 'INITIALIZED',
    }),
  ])
  return { since, isTold, requestor, app, frontend, returned }
}

/** The stored row, read without any code that could change it. */
export function storedRow(
  { store }: ServerOfTest,
  { clientToken }: SessionOfTest,
): Promise<SessionRow | null> {
  return store.sessions.load(hashOfToken(clientToken))
}

export async function assertRow(
  server: ServerOfTest,
  session: SessionOfTest,
  model: SessionModel,
): Promise<void> {
  const row = await storedRow(server, session)
  if (row === null) return assert.is(row, model.row(), 'no row')
  const { version, status, deadlineAt, snapshot, claim, claimedBody, progress } = row
  const claimed = claim && { number: claim.number, leaseUntil: claim.leaseUntil }
  assert.equal({ version, status, deadlineAt, claim: claimed, snapshot }, model.row(), 'row')
  if (claim === null) assert.equal([claimedBody, progress], [null, null], 'body and progress without a claim')
}

/** All frames of a stream that was opened after some changes of status. A caller that has received the final status cannot subscribe.
 *  @param isTold the stream begins with the last of these changes */
function framesOf(
  { changes }: SessionModel,
  since: number,
  isTold: boolean,
  describe: (status: string) => unknown = String,
): (string | null)[] {
  if (!isTold && FINAL.includes(changes[since - 1] ?? null)) return [null]
  const isOver = FINAL.includes(changes.at(-1) ?? null)
  const frames = changes
    .slice(isTold ? since - 1 : since)
    .map(status => `data: ${JSON.stringify(describe(status))}`)
  return ['event: open', ...frames, ...(isOver ? [null] : [])]
}

/** The frames for a frontend that reconnects at any time with the first status as its `Last-Event-ID`: every later status, once. */
function framesWithIds({ changes }: SessionModel): (string | null)[] {
  const frames = changes.map(status => `id: ${status}\ndata: ${JSON.stringify({ status })}`)
  return [
    'id: INITIALIZED\nevent: open',
    ...frames,
    ...(FINAL.includes(changes.at(-1) ?? null) ? [null] : []),
  ]
}

export async function assertStreams(observers: Observers, model: SessionModel): Promise<void> {
  const { since, isTold } = observers
  const expected = {
    requestor: framesOf(model, since, isTold.requestor),
    app: framesOf(model, since, isTold.app),
    frontend: framesOf(model, since, isTold.frontend, status => ({ status })),
    returned: framesWithIds(model),
  }
  for (const who of ['requestor', 'app', 'frontend', 'returned'] as const) {
    const { frames } = observers[who]
    await until(() => frames.length >= expected[who].length)
    assert.equal(frames, expected[who], `stream of the ${who}`)
  }
}

export async function assertReaders(
  { call }: Client,
  session: SessionOfTest,
  model: SessionModel,
): Promise<void> {
  const { status } = model
  const paths = ['requestor', 'app', 'frontend'] as const
  const answers = await Promise.all([
    ...paths.map(path => call('GET', `${session[path]}/status`, { headers: session.authorization })),
    call('GET', `${session.requestor}/result`),
  ])
  const read = answers.map(({ status: code, json }) => (code === 200 ? json : [code, Object(json).error]))
  const unknown = [400, UNKNOWN]
  if (status === null) return assert.equal(read, [unknown, unknown, unknown, unknown], 'forgotten')
  const [result] = read.splice(-1)
  assert.equal(read, [status, status, { status }], 'status of requestor, app and frontend')
  assert.equal(withErrorType(result), resultOf(session, model), 'result')
}

/** The expected result of a session, with only the type of an error. */
export function resultOf(
  { requestorToken: token }: SessionOfTest,
  { status, outcome }: Pick<SessionModel, 'status' | 'outcome'>,
): object {
  const common = { token, status, type: 'disclosing' }
  return FINAL.includes(status) ? { ...common, ...outcome } : common
}

/** Keeps only the type of an error: its message is for people. */
export function withErrorType(result: unknown): object {
  const { error, ...rest } = Object(result)
  return error === undefined ? rest : { ...rest, error: String(error).split(':')[0] }
}
