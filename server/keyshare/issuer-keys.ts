/** The issuer keys of a running keyshare server (spec/keyshare-server#8.1): those of its start, and those added to its schemes since. A request for an
 *  unknown key makes it read the schemes again. @module */
import type { IssuerKeys } from '../../http/keyshare/trusted-keys.ts'
import { createKeySet, keysOf, type NamedKey } from '../../schemes/key-set.ts'
import type { NewKeys } from '../../schemes/new-keys.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { Versions } from '../../schemes/versions.ts'
import { LOOK_EVERY_MS, waitBriefly } from '../schemes/brief-look.ts'
import type { World } from '../world.ts'

export type IssuerKeysDeps = Pick<World, 'clock' | 'log'> & {
  /** the keys of the start, and the source of later ones */
  readonly schemes: { readonly now: Pick<Schemes, 'schemes'> } & Pick<Versions, 'follow'>
  /** Reads the schemes again, in a thread.
   *  @param known names of the keys that need not be read */
  readonly read: (known: readonly string[]) => Promise<NewKeys>
}

export function createIssuerKeys({ schemes, read, clock, log }: IssuerKeysDeps): IssuerKeys {
  const keys = createKeySet([...schemes.now.schemes.values()].flatMap(keysOf))
  schemes.follow(scheme => add(keysOf(scheme)))
  let lastReadAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  let reported: readonly string[] = []

  function add(more: readonly NamedKey[]): void {
    const added = keys.add(more)
    if (added.length > 0) log.info({ keys: added }, 'issuer keys added')
  }

  async function readAgain(): Promise<void> {
    const found = await read(keys.names()).catch((error: unknown): NewKeys => {
      log.error({ err: error }, 'schemes could not be read again')
      return { keys: [], refused: reported }
    })
    add(found.keys)
    for (const reason of found.refused)
      if (!reported.includes(reason)) log.warn({ reason }, 'a scheme could not be read again, its keys stay')
    reported = found.refused
  }

  return {
    publicKey: keys.publicKey,
    async lookFor(ids) {
      if (ids.every(({ issuer, counter }) => keys.publicKey(issuer, counter) !== undefined)) return
      if (reading === null && clock.now() - lastReadAt >= LOOK_EVERY_MS) {
        lastReadAt = clock.now()
        reading = readAgain().finally(() => {
          reading = null
        })
      }
      await waitBriefly(clock, reading)
    },
  }
}
