/** The timestamp server of the demo. It uses the address in the scheme, or another one if that is in use. @module */
import type { Schemes } from '../schemes/types.ts'
import type { OnClose } from '../server/closable.ts'
import type { DemoOptions } from './options.ts'
import { createTimestampServer } from './timestamp-server.ts'

const HOST = '127.0.0.1'
/** Time for which its key is trusted. The key exists only while the demo runs. */
const TRUSTED_SEC = 365 * 24 * 3600

export type Stamps = {
  /** the address in the scheme */
  readonly wanted: string
  /** the address in use */
  readonly address: string
}

/** @param schemes as stored on disk */
export async function startStamps(
  { clock, log, timestampPort }: DemoOptions,
  schemes: Schemes,
  onClose: OnClose,
): Promise<Stamps> {
  const wanted =
    [...schemes.schemes.values()].find(({ timestampServer }) => timestampServer)?.timestampServer ?? ''
  const server = createTimestampServer({
    clock,
    expiresAtSec: Math.floor(clock.wallNow() / 1000) + TRUSTED_SEC,
  })
  const port = timestampPort ?? Number(new URL(wanted).port)
  const address = await server.listen(port, HOST).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'unknown'
    log.warn({ wanted, reason }, 'timestamp server: not at the address that the scheme names, but at another')
    return server.listen(0, HOST)
  })
  onClose(() => server.close())
  return { wanted, address }
}
