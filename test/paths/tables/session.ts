/** The session chart as the specification has it (part 3, with 4.3, 4.4 and 7, and the decisions), a row for each change. It is typed by hand: what is not in the
 *  table does not happen. The words of a state: status, with what the server does in `CONNECTED`; pairing method; version of the app; whether it got the session
 *  request for once; the claim; what a valid submission leads to; whether a callback was asked for. @module */
import type { Beginning, Row } from './rows.ts'

/** The ends of a status: the tests choose these lengths of the first stay (`timeout`), of the other open ones and of the retention. */
export const TIMEOUT_SEC = 60
export const CONNECTED_SEC = 300
export const RETENTION_SEC = 700

const STAY = `end ${CONNECTED_SEC} s`
const RETAINED = `end ${RETENTION_SEC} s`

/** A claim stands: a submission is checked, the next session asked for, what was requested signed. */
const WORKING = 'CONNECTED.checking|CONNECTED.askingNext|CONNECTED.signing'

// biome-ignore format: a table is read by its columns
const MOVES: readonly Row[] = [
  // the app calls GET {prefix}/session/{clientToken}: with pairing it waits for the frontend
  ['3, 4.3',      'app.connected',            'INITIALIZED none * * * * *',        'CONNECTED.awaiting = 2.8 = = = =', '-', STAY],
  ['3, 4.3',      'app.connected',            'INITIALIZED pin * * * * *',         'PAIRING = 2.8 = = = =',            '-', STAY],
  // POST .../frontend/pairingcompleted
  ['3, 4.4',      'frontend.paired',          'PAIRING * * * * * *',               'CONNECTED.awaiting = = = = = =',   '-', STAY],
  // the app submits its response: what the server does about it is one claim; the status stays CONNECTED until it is handled
  ['3, law 2',    'app.submitted',            'CONNECTED.awaiting * * * * * *',    'CONNECTED.checking = = = claim = =', 'check', '-'],
  // a valid submission of a chain asks for the next session before anything is signed
  ['chain',       'server.checked valid',     'CONNECTED.checking * * * * next|next+issues *', 'CONNECTED.askingNext = = = = = =', 'askNext', '-'],
  ['chain',       'server.checked valid',     'CONNECTED.checking * * * * issues *',      'CONNECTED.signing = = = = = =', 'sign', '-'],
  ['chain',       'server.askedNext',         'CONNECTED.askingNext * * * * next+issues *', 'CONNECTED.signing = = = = = =', 'sign', '-'],
  // a claim whose worker is gone: the app may submit again, until the deadline that it had
  ['law 2, D16',  'claim.voided',             `${WORKING} * * * * * *`,            'CONNECTED.awaiting = = = - = =',   '-', '-'],
  ['law 2',       'claim.renewed',            `${WORKING} * * * * * *`,            '= = = = = = =',                    '-', '-'],
  // options, until the app connects
  ['4.4',         'frontend.chose pin',       'INITIALIZED * * * * * *',           '= pin = = = = =',                  '-', '-'],
  ['4.4',         'frontend.chose none',      'INITIALIZED * * * * * *',           '= none = = = = =',                 '-', '-'],
  // GET /request in CONNECTED, again and again; by an app that nothing binds after pairing, once
  ['4.3',         'app.fetched',              'CONNECTED.* * * * * * *',           '= = = = = = =',                    '-', '-'],
  ['4.3, D27',    'app.fetchedOnce',          'CONNECTED.* * * unfetched * * *',   '= = = fetched = = =',              '-', '-'],
]

/** What leads to a final status: the claim ends, retention begins, and a callback is owed where one was asked for. */
// biome-ignore format: a table is read by its columns
const ENDS: readonly (readonly [section: string, trigger: string, from: string, to: string])[] = [
  // the submission is handled: what it comes to is its proof status
  ['3, D23',      'server.checked valid',     'CONNECTED.checking * * * * plain',  'DONE'],
  ['3, D23',      'server.checked invalid',   'CONNECTED.checking * * * * *',      'DONE'],
  ['3, chain',    'server.askedNext',         'CONNECTED.askingNext * * * * next', 'DONE'],
  ['3',           'server.signed',            'CONNECTED.signing * * * * *',       'DONE'],
  // longer than the session timeout; a submission that was received in time is handled to its end (D3)
  ['3, 8, D3',    'time passes',              'INITIALIZED|PAIRING|CONNECTED.awaiting * * * * *', 'TIMEOUT'],
  // DELETE by app, requestor or frontend, also while a submission is handled
  ['3, 4.1, 4.2', 'cancelled',                'INITIALIZED|PAIRING|CONNECTED.* * * * * *', 'CANCELLED'],
  // any error while handling an app endpoint; in PAIRING no call of the app is handled (D14)
  ['3, 7, D16',   'app.failed',               'INITIALIZED|CONNECTED.awaiting * * * * *', 'CANCELLED'],
  ['3, 7, D16',   'server.failed',            `${WORKING} * * * * *`,              'CANCELLED'],
]

// biome-ignore format: a table is read by its columns
const RETENTION: readonly Row[] = [
  // a final status is kept for a while; no other transition leaves it
  ['3, 8, D4',    'time passes',              'DONE|TIMEOUT|CANCELLED * * * * * *', 'forgotten', '-', '-'],
]

export const SESSION: readonly Row[] = [
  ...MOVES,
  ...ENDS.flatMap(([section, trigger, from, to]): Row[] => [
    [section, trigger, `${from} callback`, `${to} = = = - = =`, 'oweCallback', RETAINED],
    [section, trigger, `${from} silent`, `${to} = = = - = =`, '-', RETAINED],
  ]),
  ...RETENTION,
]

const KINDS = ['plain', 'next', 'issues', 'next+issues'] as const
const CALLBACKS = ['callback', 'silent'] as const

/** POST /session, with a request that is valid and authorized: no pairing method is chosen yet, so that it is the default one (2.10). */
export const SESSION_BEGINS: readonly Beginning[] = KINDS.flatMap(kind =>
  CALLBACKS.map((callback): Beginning => {
    const state = `INITIALIZED none - unfetched - ${kind} ${callback}`
    return ['3, 4.1', state, `end ${TIMEOUT_SEC} s`]
  }),
)

/** Every state that there may be, from the same parts of the specification. */
export const SESSION_STATES: readonly string[] = KINDS.flatMap(kind =>
  CALLBACKS.flatMap(callback => [...statesOf(kind).map(state => `${state} ${kind} ${callback}`)]),
).concat('forgotten')

/** Status, pairing method, version, fetched, claim. */
function statesOf(kind: (typeof KINDS)[number]): string[] {
  const connected = ['awaiting -', 'checking claim']
  if (kind.includes('next')) connected.push('askingNext claim')
  if (kind.includes('issues')) connected.push('signing claim')
  const methods = ['none', 'pin']
  const before = methods.map(method => `INITIALIZED ${method} - unfetched -`)
  const working = methods.flatMap(method =>
    connected.flatMap(word => {
      const [state, claim] = word.split(' ')
      return ['unfetched', 'fetched'].map(fetched => `CONNECTED.${state} ${method} 2.8 ${fetched} ${claim}`)
    }),
  )
  const open = [...before, 'PAIRING pin 2.8 unfetched -', ...working]
  const closed = open.flatMap(state => {
    const [, method, version, fetched] = state.split(' ')
    const ends =
      version === '-' || state.startsWith('PAIRING')
        ? ['CANCELLED', 'TIMEOUT']
        : ['DONE', 'CANCELLED', 'TIMEOUT']
    return ends.map(end => `${end} ${method} ${version} ${fetched} -`)
  })
  return [...new Set([...open, ...closed])]
}
