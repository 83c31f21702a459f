/** The answer of each endpoint of a session to a faultless call, by the status of the session (spec/interface#4.1 to #4.4 and #7;
 *  spec/decisions#d2, #d14, #d16, #d17, #profiles). It is typed by hand. The answers to faulty calls are in ../bad-calls.ts. @module */

/** The statuses of the specification. A status is split where endpoints answer differently: by pairing method, and by whether a submission is being handled. */
export const COLUMNS = [
  'INITIALIZED none',
  'INITIALIZED pin',
  'PAIRING',
  'CONNECTED',
  'CONNECTED, claimed',
  'DONE',
  'CANCELLED',
  'TIMEOUT',
  'forgotten',
] as const
export type Column = (typeof COLUMNS)[number]

/** An answer, and after `>` the new status of the session if it changes. */
type Answers = readonly [
  none: string,
  pin: string,
  pairing: string,
  connected: string,
  claimed: string,
  final: string,
  forgotten: string,
]

const GONE = '400 SESSION_UNKNOWN'
const WRONG = '403 UNEXPECTED_REQUEST'
const ENDS = '200 > CANCELLED'

// biome-ignore format: a table is read by its columns
const ROWS: readonly (readonly [section: string, endpoint: string, ...Answers])[] = [
  // section                                     endpoint                             INITIALIZED none   INITIALIZED pin  PAIRING            CONNECTED     claimed   final
  //    forgotten
  ['spec/interface#4.1',                         'DELETE {requestor}',                ENDS,              ENDS,            ENDS,              ENDS,         ENDS,     '200',   GONE],
  ['spec/interface#4.1',                         'GET {requestor}/status',            '200',             '200',           '200',             '200',        '200',    '200',   GONE],
  ['spec/interface#4.1, #6, spec/decisions#d17', 'GET {requestor}/statusevents',      'stream',          'stream',        'stream',          'stream',     'stream', '204',   GONE],
  ['spec/interface#4.1, #2.8',                   'GET {requestor}/result',            '200',             '200',           '200',             '200',        '200',    '200',   GONE],
  ['spec/interface#4.1, #5.2',                   'GET {requestor}/result-jwt',        '200',             '200',           '200',             '200',        '200',    '200',   GONE],
  ['spec/interface#4.1, #5.2',                   'GET {requestor}/getproof',          '200',             '200',           '200',             '200',        '200',    '200',   GONE],
  ['spec/interface#4.2',                         'DELETE {app}',                      ENDS,              ENDS,            ENDS,              ENDS,         ENDS,     '200',   GONE],
  ['spec/interface#4.2',                         'GET {app}/status',                  '200',             '200',           '200',             '200',        '200',    '200',   GONE],
  ['spec/interface#4.2, #6, spec/decisions#d17', 'GET {app}/statusevents',            'stream',          'stream',        'stream',          'stream',     'stream', '204',   GONE],
  ['spec/interface#4.3, spec/decisions#d14',     'GET {app}',                         '200 > CONNECTED', '200 > PAIRING', GONE,              GONE,         GONE,     GONE,    GONE],
  ['spec/interface#4.3, spec/decisions#d14',     'GET {app}/request',                 GONE,              GONE,            GONE,              '200',        '200',    GONE,    GONE],
  ['spec/interface#4.3, spec/decisions#d14',     'POST {app}/proofs',                 GONE,              GONE,            GONE,              '200 > DONE', GONE,     GONE,    GONE],
  ['spec/interface#4.3, spec/decisions#d14',     'POST {app}/commitments',            GONE,              GONE,            GONE,              '200 > DONE', GONE,     GONE,    GONE],
  ['spec/interface#4.4',                         'GET {frontend}/status',             '200',             '200',           '200',             '200',        '200',    '200',   GONE],
  // no answer to the frontend contained the final status, so its stream sends it (spec/decisions#streams); the requestor has read the status
  ['spec/interface#4.4, #6',                     'GET {frontend}/statusevents',       'stream',          'stream',        'stream',          'stream',     'stream', 'stream', GONE],
  ['spec/interface#4.4, spec/decisions#d14',     'POST {frontend}/options',           '200',             '200',           WRONG,             WRONG,        WRONG,    WRONG,   GONE],
  ['spec/interface#4.4, spec/decisions#d14',     'POST {frontend}/pairingcompleted',  WRONG,             WRONG,           '204 > CONNECTED', WRONG,        WRONG,    WRONG,   GONE],
]

/** Endpoints that belong to no session, or create one. */
// biome-ignore format: a table is read by its columns
export const OTHERS: readonly (readonly [section: string, endpoint: string])[] = [
  ['spec/interface#4.1',                         'POST /session'],
  ['spec/interface#4.1',                         'GET /publickey'],
  ['spec/session-server#1',                   'GET /health'],
  ['ours, docs/operating.md',                    'GET /health/ready'],
  ['ours, docs/options.md',                      'GET /'],
  ['ours, docs/options.md',                      'GET /openapi'],
  ['ours, docs/options.md',                      'GET /openapi.json'],
  ['spec/session-server#16',                  'POST {app}'],
  ['spec/session-server#17',                  'POST /revocation'],
  ['spec/session-server#17',                  'GET {revocation}/update/:count'],
  ['spec/session-server#17',                  'GET {revocation}/update/:count/:keyCounter'],
  ['spec/session-server#17',                  'GET {revocation}/updateevents'],
  ['spec/session-server#17',                  'GET {revocation}/events/:keyCounter/:min/:max'],
  ['spec/session-server#17',                  'POST {revocation}/issuancerecord/:keyCounter'],
]

export const ENDPOINTS: readonly string[] = ROWS.map(([, endpoint]) => endpoint)

/** @throws {Error} if the endpoint is not in the table */
export function answerIn(column: Column, endpoint: string): string {
  const row = ROWS.find(([, each]) => each === endpoint)
  if (row === undefined) throw new Error(`expected an endpoint of the table, got ${endpoint}`)
  const [, , none, pin, pairing, connected, claimed, final, forgotten] = row
  const answers: Readonly<Record<Column, string>> = {
    'INITIALIZED none': none,
    'INITIALIZED pin': pin,
    PAIRING: pairing,
    CONNECTED: connected,
    'CONNECTED, claimed': claimed,
    DONE: final,
    CANCELLED: final,
    TIMEOUT: final,
    forgotten,
  }
  return answers[column]
}

/** @param state as named in the paths of the session chart
 *  @throws {Error} if no column matches the state */
export function columnOf(state: string): Column {
  const [status = '', method = ''] = state.split(' ')
  const isClaimed = status.startsWith('CONNECTED.') && status !== 'CONNECTED.awaiting'
  const name = isClaimed
    ? 'CONNECTED, claimed'
    : status === 'INITIALIZED'
      ? `${status} ${method}`
      : status.replace('.awaiting', '')
  const column = COLUMNS.find(each => each === name)
  if (column === undefined) throw new Error(`expected a state of the session chart, got ${state}`)
  return column
}
