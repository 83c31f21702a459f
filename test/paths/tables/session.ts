/** The session chart of the specification (spec/interface#3, #4.3, #4.4, #7, and the decisions), one row for each change. It is typed by hand: a change that is not in
 *  the table does not happen. The words of a state:
 *  * status, with the current work of the server in `CONNECTED`;
 *  * pairing method;
 *  * version of the app;
 *  * whether an app that fetches once has fetched the session request;
 *  * claim;
 *  * the kind of session, which decides the step after a valid submission;
 *  * whether a callback was requested. @module */
import type { Beginning, Row } from './rows.ts'

/** The deadlines of a status, as the tests choose them: the first stay (`timeout`), the other open statuses, and the retention. */
export const TIMEOUT_SEC = 60
export const CONNECTED_SEC = 300
export const RETENTION_SEC = 700

const STAY = `end ${CONNECTED_SEC} s`
/** The lease of a claim: the claim ends if its worker does not renew it. */
const LEASE = 'lease 30 s'
const RETAINED = `end ${RETENTION_SEC} s`

/** A claim is active: the server checks a submission, asks for the next session, or signs. */
const WORKING = 'CONNECTED.checking|CONNECTED.askingNext|CONNECTED.signing'

// biome-ignore format: a table is read by its columns
const MOVES: readonly Row[] = [
  // the app calls GET {prefix}/session/{clientToken}: with pairing it waits for the frontend
  ['spec/interface#3, #4.3',                   'app.connected',            'INITIALIZED none * * * * *',        'CONNECTED.awaiting = 2.8 = = = =', '-', STAY],
  ['spec/interface#3, #4.3',                   'app.connected',            'INITIALIZED pin * * * * *',         'PAIRING = 2.8 = = = =',            '-', STAY],
  // POST .../frontend/pairingcompleted
  ['spec/interface#3, #4.4',                   'frontend.paired',          'PAIRING * * * * * *',               'CONNECTED.awaiting = = = = = =',   '-', STAY],
  // the app submits its response: the work of the server on it is one claim; the status stays CONNECTED until the work is done
  ['spec/interface#3, spec/laws#2',            'app.submitted',            'CONNECTED.awaiting * * * * * *',    'CONNECTED.checking = = = claim = =', 'check', LEASE],
  // a valid submission of a chain asks for the next session before the server signs
  ['spec/decisions#chain',                     'server.checked valid',     'CONNECTED.checking * * * * next|next+issues *', 'CONNECTED.askingNext = = = = = =', 'askNext', LEASE],
  ['spec/decisions#chain',                     'server.checked valid',     'CONNECTED.checking * * * * issues *',      'CONNECTED.signing = = = = = =', 'sign', LEASE],
  ['spec/decisions#chain',                     'server.askedNext',         'CONNECTED.askingNext * * * * next+issues *', 'CONNECTED.signing = = = = = =', 'sign', LEASE],
  // the worker of a claim is gone: the app may submit again, until the same deadline
  ['spec/laws#2, spec/decisions#d16',          'claim.voided',             `${WORKING} * * * * * *`,            'CONNECTED.awaiting = = = - = =',   '-', '-'],
  ['spec/laws#2',                              'claim.renewed',            `${WORKING} * * * * * *`,            '= = = = = = =',                    '-', LEASE],
  ['spec/laws#effects',                        'time passes',              `${WORKING} * * * * * *`,            'CONNECTED.awaiting = = = - = =',   '-', '-'],
  // options, until the app connects
  ['spec/interface#4.4',                       'frontend.chose pin',       'INITIALIZED * * * * * *',           '= pin = = = = =',                  '-', '-'],
  ['spec/interface#4.4',                       'frontend.chose none',      'INITIALIZED * * * * * *',           '= none = = = = =',                 '-', '-'],
  // GET /request in CONNECTED, any number of times; only once for an app without credentials after pairing
  ['spec/interface#4.3',                       'app.fetched',              'CONNECTED.* * * * * * *',           '= = = = = = =',                    '-', '-'],
  ['spec/interface#4.3, spec/decisions#d27',   'app.fetchedOnce',          'CONNECTED.* * * unfetched * * *',   '= = = fetched = = =',              '-', '-'],
]

/** Changes that lead to a final status: the claim ends, retention begins, and a requested callback becomes due. */
// biome-ignore format: a table is read by its columns
const ENDS: readonly (readonly [section: string, trigger: string, from: string, to: string])[] = [
  // the submission is handled: the outcome is its proof status
  ['spec/interface#3, spec/decisions#d23',     'server.checked valid',     'CONNECTED.checking * * * * plain',  'DONE'],
  ['spec/interface#3, spec/decisions#d23',     'server.checked invalid',   'CONNECTED.checking * * * * *',      'DONE'],
  ['spec/interface#3, spec/decisions#chain',   'server.askedNext',         'CONNECTED.askingNext * * * * next', 'DONE'],
  ['spec/interface#3',                         'server.signed',            'CONNECTED.signing * * * * *',       'DONE'],
  // the session timeout has elapsed; a submission that was received in time is handled to its end (spec/decisions#d3)
  ['spec/interface#3, #8, spec/decisions#d3',  'time passes',              'INITIALIZED|PAIRING|CONNECTED.awaiting * * * * *', 'TIMEOUT'],
  // DELETE by app, requestor or frontend, also while a submission is handled
  ['spec/interface#3, #4.1, #4.2',             'cancelled',                'INITIALIZED|PAIRING|CONNECTED.* * * * * *', 'CANCELLED'],
  // any error while handling an app endpoint; in PAIRING no call of the app is handled (spec/decisions#d14)
  ['spec/interface#3, #7, spec/decisions#d16', 'app.failed',               'INITIALIZED|CONNECTED.awaiting * * * * *', 'CANCELLED'],
  ['spec/interface#3, #7, spec/decisions#d16', 'server.failed',            `${WORKING} * * * * *`,              'CANCELLED'],
]

// biome-ignore format: a table is read by its columns
const RETENTION: readonly Row[] = [
  // a final status is kept for its retention; no other transition leaves it
  ['spec/interface#3, #8, spec/decisions#d4',  'time passes',              'DONE|TIMEOUT|CANCELLED * * * * * *', 'forgotten', '-', '-'],
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

/** POST /session, with a valid and authorized request. No pairing method is chosen yet, so the default applies (2.10). */
export const SESSION_BEGINS: readonly Beginning[] = KINDS.flatMap(kind =>
  CALLBACKS.map((callback): Beginning => {
    const state = `INITIALIZED none - unfetched - ${kind} ${callback}`
    return ['3, 4.1', state, `end ${TIMEOUT_SEC} s`]
  }),
)

/** Every possible state, from the same parts of the specification. */
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
