/** The keyshare server of this project on a free port, real except for its store, at the address that a scheme names. @module */

import { join } from 'node:path'
import type { Clock } from '../../../ports/clock.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import type { ProfileName } from '../../../protocol/profiles.ts'
import { createKeyshareNode } from '../../../server/keyshare/create-keyshare-node.ts'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../../server/settings/keyshare-settings.ts'
import type { KeyshareWorld } from '../../../server/world.ts'
import { sharedPool } from '../../actors/shared-pool.ts'
import { PROJECT } from '../../project.ts'
import { FAILURES } from '../../server/node-of-test.ts'

const KEYS = join(PROJECT, 'test/vectors/keys')

export type RealKeyshare = { readonly url: string; close(): Promise<void> }

type KeyshareSetup = {
  readonly profile: ProfileName
  /** the folder of schemes, which is not changed */
  readonly folder: string
  /** the name of a scheme with a keyshare server */
  readonly scheme: string
  readonly clock: Clock
  /** 0 takes a free port */
  readonly port?: number
  /** options besides */
  readonly options?: Readonly<Record<string, unknown>>
  readonly log?: KeyshareWorld['log']
}

export async function startRealKeyshare({
  profile,
  folder,
  scheme,
  clock,
  port: wanted = 0,
  options: more,
  log = FAILURES,
}: KeyshareSetup): Promise<RealKeyshare> {
  const values = {
    profile,
    schemes_path: folder,
    store: 'memory',
    workers: 1,
    url: 'http://127.0.0.1',
    stop_idle: '0s',
    keyshare_attribute: `${scheme}.keyshare.keyshare.username`,
    jwt_privkey_file: join(KEYS, 'kss-0.private.pem'),
    storage_primary_key_file: join(KEYS, 'storage-key.aes'),
    ...more,
  }
  const { options } = keyshareServer.resolve({ flags: {}, variables: {}, file: { name: 'test', values } })
  const { settings } = await readKeyshareSettings({ options }, () => undefined)
  const node = await createKeyshareNode(settings, {
    clock,
    fetch,
    log,
    random: systemRandomness,
    instead: { pool: sharedPool() },
  })
  const { port } = await node.server.listen(wanted, '127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  Object.assign(settings.sessions, { url: `${url}/` }) // the port is known only after the start
  return { url, close: node.close }
}
