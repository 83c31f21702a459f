/** The work of `svc deliveries`. It reads and changes the rows of the store itself, with or without running servers. This is safe: the store serializes writers,
 *  every commit compares the row's version, and the same chart decides. So it needs no access to a server over the network, only to the store. Of address and
 *  result it shows only the host and the outcome of the last attempt. @module */
import { replayDelivery as replay } from '../../actors/deliveries/deliveries.ts'
import { defaultKeyshareStorePath, defaultStorePath } from '../../server/files/directories.ts'
import { inWords } from '../../server/log/delivery-log.ts'
import { storeAddressOf } from '../../server/settings/checks.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { redisSettingsOf } from '../../server/settings/redis.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { openDeliveries } from '../../stores/open.ts'
import type { RedisOptions } from '../../stores/redis/address.ts'
import type { DeliveriesBeside } from '../../stores/store.ts'
import { readOptions } from '../servers/options.ts'
import type { DeliveriesFlags } from './flags.ts'

/** The parts of a delivery that may be shown; times in ISO 8601. */
function shown({ id, state, cause: status, host, attempts, lastOutcome, ...row }: DeliveryRow) {
  const isOpen = state === 'waiting' || state === 'sending'
  return {
    id,
    state,
    status,
    host,
    attempts,
    lastOutcome,
    owedAt: inWords(row.owedAt),
    nextAttemptAt: state === 'waiting' ? inWords(row.dueAt) : null,
    givenUpAfter: isOpen ? inWords(row.giveUpAt) : null,
  }
}

export async function listDeliveries(flags: DeliveriesFlags): Promise<void> {
  await withDeliveries(flags, async ({ deliveries }) => {
    for (const row of (await deliveries.list()).map(shown))
      print(flags.json ? JSON.stringify(row) : lineOf(row))
  })
}

function lineOf({ id, state, status, host, attempts, lastOutcome, nextAttemptAt }: ReturnType<typeof shown>) {
  const next = nextAttemptAt === null ? '' : `, next at ${nextAttemptAt}`
  const last = lastOutcome === null ? '' : `, last: ${lastOutcome}`
  return `${id} ${state} (${status}) ${host || '-'}: ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${last}${next}`
}

export async function showDelivery(id: string, flags: DeliveriesFlags): Promise<void> {
  await withDeliveries(flags, async ({ deliveries }) => {
    const facts = shown(await existing(deliveries, id))
    if (flags.json) print(JSON.stringify(facts))
    else for (const [name, value] of Object.entries(facts)) print(`${name}: ${value ?? '-'}`)
  })
}

export async function replayDelivery(id: string, flags: DeliveriesFlags): Promise<void> {
  await withDeliveries(flags, async store => {
    const { state } = await existing(store.deliveries, id)
    const at = store.now()
    if (!(await replay(id, store, store)))
      throw new Error(`delivery ${id}: expected one that waits, got one that is ${state}`)
    print(flags.json ? JSON.stringify({ id, nextAttemptAt: inWords(at) }) : `${id}: posted next`)
  })
}

async function existing(deliveries: DeliveriesBeside['deliveries'], id: string): Promise<DeliveryRow> {
  const row = await deliveries.load(id)
  if (row === null) throw new Error(`expected the id of a delivery, got ${JSON.stringify(id)}`)
  return row
}

type NamedStore = { readonly store: string; readonly redis?: RedisOptions }

function storeInSettings({ config, keyshare }: DeliveriesFlags): NamedStore {
  const given = { flags: {}, config, unknown: [] }
  if (keyshare) return { store: storeAddressOf(readOptions(keyshareServer, given).options) }
  return redisSettingsOf(readOptions(sessionServer, given).options)
}

function namedStore(flags: DeliveriesFlags): NamedStore {
  const { store, storeFile } = flags
  if (store === undefined && storeFile === undefined) return storeInSettings(flags)
  return { store: storeAddressOf({ store: store ?? '', store_file: storeFile ?? '' }) }
}

async function withDeliveries(
  flags: DeliveriesFlags,
  use: (store: DeliveriesBeside) => Promise<void>,
): Promise<void> {
  const defaultFile = flags.keyshare ? defaultKeyshareStorePath : defaultStorePath
  const { store, redis } = namedStore(flags)
  const opened = await openDeliveries(store || `sqlite:${defaultFile()}`, redis)
  try {
    await use(opened)
  } finally {
    await opened.close()
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
