/** The keyshare server of the demo: a real one with its own address, which the demo's copy of the scheme names. Its accounts are stored in the folder of the
 *  phone's wallet. @module */
import { join } from 'node:path'
import type { Inspection } from '../../actors/inspection/inspection.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { parseSchemeId } from '../../protocol/ids.ts'
import type { OnClose } from '../../server/closable.ts'
import { createKeyshareNode } from '../../server/keyshare/create-keyshare-node.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../server/settings/keyshare-settings.ts'
import type { KeyshareWorld } from '../../server/world.ts'
import { onlyByName } from '../guard.ts'
import { openListener } from '../listen.ts'
import type { DemoOptions } from '../options.ts'
import { USER_NAME } from '../steps.ts'
import type { KeyshareKeys } from './keys.ts'
import type { Mailbox } from './mailbox.ts'

/** The only demo scheme with a keyshare server. */
export const KEYSHARE_SCHEME = parseSchemeId('svc-keyshare')

type ListenerDeps = {
  readonly keys: KeyshareKeys
  /** folder of the phone's wallet */
  readonly folder: string
  /** receives all mails */
  readonly mailbox: Mailbox
  readonly inspection: Inspection
}

export type KeyshareListener = {
  /** without a slash at the end */
  readonly address: string
  /** Starts to answer, once the schemes that name this address exist.
   *  @param schemesPath folder of the schemes */
  serve(schemesPath: string): Promise<void>
}

/** Starts to listen, so that the schemes can name the address. */
export async function openKeyshare(
  options: DemoOptions & { readonly host: string },
  facts: ListenerDeps,
  onClose: OnClose,
): Promise<KeyshareListener> {
  const { listener, address } = await openListener(options, 0, options.host, onClose)
  return {
    address,
    async serve(schemesPath) {
      const { clock, log } = options
      const { settings } = await readKeyshareSettings(
        { options: optionsOf(options, facts, address, schemesPath) },
        line => log.info(line),
      )
      const instead: NonNullable<KeyshareWorld['instead']> = {
        mail: facts.mailbox.port,
        takesMail: async () => 'takes mail',
      }
      const { inspection } = facts
      const world = { clock, log, fetch, random: systemRandomness, inspection, instead }
      const node = await createKeyshareNode(settings, world)
      onClose(node.close)
      listener.on('request', onlyByName(address, node.server.app.callback()))
    },
  }
}

function optionsOf(
  { arithmetic, keepIn }: DemoOptions,
  { keys, folder }: ListenerDeps,
  address: string,
  schemes_path: string,
) {
  const values = {
    schemes_path,
    url: address,
    arithmetic,
    workers: 1,
    store: keepIn === undefined ? 'memory' : `sqlite:${join(folder, 'keyshare/accounts.sqlite')}`,
    // never called
    email_server: '127.0.0.1:25',
    email_from: 'Keyshare server <keyshare@savings-circle.localhost>',
    keyshare_attribute: USER_NAME,
    jwt_privkey_file: keys.privateKeyFile,
    storage_primary_key_file: keys.storageKeyFile,
  }
  return keyshareServer.resolve({ flags: {}, variables: {}, file: { name: 'demo', values } }).options
}
