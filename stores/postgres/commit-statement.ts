/** Executes several commits of sessions, deliveries and records of an OpenID provider in one statement, which is one round trip and one transaction. Each commit has its own
 *  outcome: its compare-and-set is a condition, and its other rows are inserted only if its row was changed. The values of all commits are one JSON
 *  text per table, which costs the least to write. @module */
import type { DeliveryRow } from '../delivery-store.ts'
import type { OidcChange } from '../oidc-store.ts'
import type { SessionRow, StatusChange } from '../session-store.ts'
import { bindable } from '../sql/bindable.ts'
import { oidcToTable } from '../sql/oidc.ts'
import { changesOf, deliveryChangesOf, deliveryToTable, toTable } from '../sql/rows.ts'
import type { DeliveryTable, OidcTable, SessionTable } from '../sql/schema.ts'
import type { RowChange } from '../store.ts'
import { CHANNEL } from './changes.ts'
import { OUTLASTING } from './nodes.ts'

/** The changes of one commit, which compares one row. */
export type GroupedCommit = {
  readonly changed:
    | { readonly session: RowChange<SessionRow>; readonly before: SessionRow | null }
    | { readonly delivery: RowChange<DeliveryRow> }
    | { readonly oidc: OidcChange }
  readonly owed: readonly DeliveryRow[]
  readonly change: StatusChange | null
}

type Columns<Table> = { readonly [Name in keyof Table]: 'integer' | 'bigint' | 'text' | 'bytea' }

const SESSION_CHANGES: Columns<ReturnType<typeof changesOf>> = {
  version: 'integer',
  chart: 'integer',
  status: 'text',
  deadline_at: 'bigint',
  due_at: 'bigint',
  snapshot: 'text',
  claim: 'text',
  claimed_body: 'bytea',
  progress: 'text',
  answered_call: 'text',
  answered_version: 'integer',
  answered_at: 'bigint',
  answer: 'text',
  pairing_code: 'text',
  client_authorization: 'text',
  sent_updates: 'text',
  result: 'text',
}
const SESSION: Columns<SessionTable> = {
  id: 'text',
  ...SESSION_CHANGES,
  requestor_token_hash: 'text',
  client_token: 'text',
  requestor_token: 'text',
  frontend_token: 'text',
  requestor: 'text',
  profile: 'text',
  request: 'text',
  nonce: 'text',
}
const DELIVERY_CHANGES: Columns<ReturnType<typeof deliveryChangesOf>> = {
  version: 'integer',
  chart: 'integer',
  state: 'text',
  due_at: 'bigint',
  give_up_at: 'bigint',
  attempts: 'integer',
  boot_id: 'text',
  last_outcome: 'text',
  message: 'text',
}
const DELIVERY: Columns<DeliveryTable> = {
  id: 'text',
  session: 'text',
  status: 'text',
  host: 'text',
  requestor: 'text',
  owed_at: 'bigint',
  ...DELIVERY_CHANGES,
}
const OIDC: Columns<OidcTable> = {
  kind: 'text',
  id: 'text',
  grant_id: 'text',
  uid: 'text',
  sealed: 'text',
  expires_at: 'bigint',
  version: 'integer',
}
/** How a row of a table is found. */
const BY_KEY = 't.id = i.key'
const BY_NAME = 't.kind = i.kind and t.id = i.id'
/** Columns that may be long. Unchanged values are not sent again; each column has a bit in `same`. */
const LONG = ['claimed_body', 'progress', 'sent_updates', 'result', 'answer'] as const

/** JSON members of a part in addition to the columns of its table: the number of the commit, and the row and the version that are compared. */
const COMPARED = 'n integer, key text, stored integer, same integer'
const ALIVE = 'exists (select from alive)'

function namesOf(columns: Columns<object>): string {
  return Object.keys(columns).join(', ')
}

/** @param parameter of the statement, which holds the JSON
 *  @param columns of the table; bytes are Base64 in the JSON */
function from(parameter: string, columns: Columns<object>): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type === 'bytea' ? 'text' : type}`)
  return `json_to_recordset(${parameter}::json) as i(${[COMPARED, ...typed].join(', ')})`
}

function columnValue([name, type]: readonly [string, string]): string {
  return type === 'bytea' ? `decode(i.${name}, 'base64')` : `i.${name}`
}

function insertion(table: string, columns: Columns<object>, parameter: string, where: string): string {
  const values = Object.entries(columns).map(columnValue).join(', ')
  return `insert into ${table} (${namesOf(columns)}) select ${values} from ${from(parameter, columns)} where ${where}`
}

function update(table: string, columns: Columns<object>, parameter: string, which = BY_KEY): string {
  const set = Object.entries(columns).map(entry => {
    const bit = LONG.map(String).indexOf(entry[0])
    const value = columnValue(entry)
    return `${entry[0]} = ${bit < 0 ? value : `case when i.same & ${1 << bit} > 0 then t.${entry[0]} else ${value} end`}`
  })
  const source = from(parameter, columns)
  return `update ${table} as t set ${set.join(', ')} from ${source} where ${which} and t.version = i.stored and ${ALIVE} returning i.n`
}

function deletion(table: string, parameter: string, columns: Columns<object> = {}, which = BY_KEY): string {
  return `delete from ${table} as t using ${from(parameter, columns)} where ${which} and t.version = i.stored and ${ALIVE} returning i.n`
}

type Part = (typeof PARTS)[number]
type Build = (parameter: string) => string

/** In the order of their parameters. An `insert` cannot return a column of its source, so `created` and `recorded` return keys. */
const BUILDS: Readonly<Record<Part, Build>> = {
  created: parameter =>
    `${insertion('sessions', SESSION, parameter, ALIVE)} on conflict (id) do nothing returning id`,
  updated: parameter => update('sessions', SESSION_CHANGES, parameter),
  deleted: parameter => deletion('sessions', parameter),
  moved: parameter => update('deliveries', DELIVERY_CHANGES, parameter),
  removed: parameter => deletion('deliveries', parameter),
  recorded: parameter =>
    `${insertion('oidc_records', OIDC, parameter, ALIVE)} on conflict (kind, id) do nothing returning kind || ' ' || id as id`,
  replaced: parameter => update('oidc_records', OIDC, parameter, BY_NAME),
  erased: parameter => deletion('oidc_records', parameter, { kind: 'text', id: 'text' }, BY_NAME),
  owed: parameter =>
    insertion('deliveries', DELIVERY, parameter, 'i.n in (select n from won)').concat(' returning 1'),
  told: parameter =>
    `select pg_notify('${CHANNEL}', string_agg(i.note, e'\\n')) as told
     from ${from(parameter, { note: 'text' })} where i.n in (select n from won) group by i.n / ${NOTES}`,
}
const PARTS = [
  'created',
  'updated',
  'deleted',
  'moved',
  'removed',
  'recorded',
  'replaced',
  'erased',
  'owed',
  'told',
] as const
/** The number of commits whose notes are joined in one notification. The text of a notification is limited to 8,000 bytes. */
const NOTES = 32

type Values = Readonly<Record<string, unknown>>
export type CommitStatement = {
  readonly name: string
  readonly text: string
  readonly values: readonly string[]
}

/** @throws {TypeError} if no column can hold a value */
function jsonOf(row: Values): Values {
  const entries = Object.entries(row).map(([name, value]) => {
    const bound = bindable(value)
    return [name, bound instanceof Uint8Array ? Buffer.from(bound).toString('base64') : bound] as const
  })
  return Object.fromEntries(entries)
}

/** The parts of one commit except its number. They are made before the statement, so that a value that cannot be stored fails only its own commit. */
export type PreparedCommit = {
  readonly parts: readonly (readonly [Part, Values])[]
  /** the row that the commit compares; a statement has at most one commit for each row */
  readonly key: string
}

/** @throws {TypeError} if no column can hold a value */
export function prepared({ changed, owed, change }: GroupedCommit): PreparedCommit {
  const parts = [
    partOf(changed),
    ...owed.map(row => ['owed', jsonOf(deliveryToTable(row))] as const),
    ...(change === null ? [] : [['told', { note: JSON.stringify(change) }] as const]),
  ]
  return { parts, key: keyOf(changed) }
}

function partOf(changed: GroupedCommit['changed']): readonly [Part, Values] {
  if ('session' in changed) return partOfSession(changed.session, changed.before)
  return 'delivery' in changed ? partOfDelivery(changed.delivery) : partOfRecord(changed.oidc)
}

function keyOf(changed: GroupedCommit['changed']): string {
  if ('session' in changed) return `s ${changed.session.id}`
  return 'delivery' in changed ? `d ${changed.delivery.id}` : `o ${nameOf(changed.oidc)}`
}

function nameOf({ kind, id }: OidcChange): string {
  return `${kind} ${id}`
}

function partOfSession(
  { id: key, version: stored, row }: RowChange<SessionRow>,
  before: SessionRow | null,
): readonly [Part, Values] {
  if (row === null) return ['deleted', { key, stored }]
  if (stored === 0) return ['created', jsonOf({ ...toTable(row), key })]
  const changes = changesOf(row)
  const old = before?.version === stored ? sameColumns(before, row) : []
  const sent = Object.fromEntries(
    Object.entries(changes).filter(([name]) => !old.some(each => each === name)),
  )
  const same = old.reduce((bits, name) => bits | (1 << LONG.indexOf(name)), 0)
  return ['updated', { ...jsonOf(sent), key, stored, same }]
}

/** Compares by identity: a step passes long members on unchanged from the row that it began with. */
function sameColumns(before: SessionRow, after: SessionRow): readonly (typeof LONG)[number][] {
  const isSame: Readonly<Record<(typeof LONG)[number], boolean>> = {
    claimed_body: before.claimedBody === after.claimedBody,
    progress: before.progress === after.progress,
    sent_updates: before.sentUpdates === after.sentUpdates,
    result: before.result === after.result,
    answer: before.answered === after.answered,
  }
  return LONG.filter(name => isSame[name])
}

function partOfDelivery({ id: key, version: stored, row }: RowChange<DeliveryRow>): readonly [Part, Values] {
  if (row === null) return ['removed', { key, stored }]
  return ['moved', { ...jsonOf(deliveryChangesOf(deliveryToTable(row))), key, stored }]
}

function partOfRecord(change: OidcChange): readonly [Part, Values] {
  const { kind, id, version: stored, row } = change
  if (row === null) return ['erased', jsonOf({ kind, id, stored })]
  const values = jsonOf({ ...oidcToTable(row), key: nameOf(change), stored })
  return [stored === 0 ? 'recorded' : 'replaced', values]
}

/** Statements by the names of their parts; every connection prepares each of them once. */
const texts = new Map<string, string>()

/** @param bootId of this node, whose lease must be valid for long enough
 *  @returns a statement with one row as its answer: `is_alive`, and `won`, the numbers of the commits that succeeded */
export function commitStatement(bootId: string, commits: readonly PreparedCommit[]): CommitStatement {
  const rows: Partial<Record<Part, Values[]>> = {}
  for (const [n, { parts }] of commits.entries())
    for (const [part, row] of parts) {
      const own = rows[part] ?? []
      own.push({ ...row, n })
      rows[part] = own
    }
  const parts = PARTS.filter(part => rows[part])
  const name = `commit ${parts.join(' ')}`
  const text = texts.get(name) ?? textOf(parts)
  texts.set(name, text)
  return { name, text, values: [bootId, ...parts.map(part => JSON.stringify(rows[part]))] }
}

function textOf(parts: readonly Part[]): string {
  const compared: readonly Part[] = parts.filter(part => part !== 'owed' && part !== 'told')
  const built = parts.map((part, i) => [part, `${part} as (${BUILDS[part](`$${i + 2}`)})`] as const)
  const won = compared.map(part => {
    const parameter = `$${parts.indexOf(part) + 2}`
    if (part !== 'created' && part !== 'recorded') return `select n from ${part}`
    return `select i.n from ${from(parameter, {})} where i.key in (select id from ${part})`
  })
  const first = built.filter(([part]) => compared.includes(part)).map(([, text]) => text)
  const then = built.filter(([part]) => !compared.includes(part)).map(([, text]) => text)
  const told = parts.includes('told') ? ', (select count(*) from told) as told' : ''
  const all = [
    `alive as materialized (${OUTLASTING})`,
    ...first,
    `won as (${won.join(' union all ')})`,
    ...then,
  ]
  return `with ${all.join(', ')} select ${ALIVE} as is_alive, (select string_agg(n::text, ' ') from won) as won${told}`
}
