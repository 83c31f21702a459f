/** The schemes of the demo: a copy with the demo's own addresses for timestamps, revocation and PINs, and with the key of its keyshare server. It is signed again
 *  with the key in each demo scheme. So several demos can run on one computer. The copy is deleted when the demo ends. @module */
import { createPrivateKey } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../ports/clock.ts'
import { parseCredentialTypeId } from '../protocol/ids.ts'
import { loadSchemes } from '../schemes/load.ts'
import { signScheme } from '../schemes/sign.ts'
import type { Schemes } from '../schemes/types.ts'
import type { OnClose } from '../server/closable.ts'
import { KEYSHARE_SCHEME } from './keyshare/server.ts'
import type { DemoOptions } from './options.ts'
import { PERMIT } from './steps.ts'

/** The credential type for which the demo's session server is the authority. */
export const REVOCABLE = parseCredentialTypeId(PERMIT)

export type OwnAddresses = {
  readonly timestampServer: string
  /** address of the session server with its prefix, without a slash at the end */
  readonly revocationServer: string
  /** without a slash at the end */
  readonly keyshareServer: string
  /** public key of the keyshare server's signing key, PEM */
  readonly keyshareKey: string
}

export type OwnSchemes = { readonly schemes: Schemes; readonly folder: string }

type Options = Pick<DemoOptions, 'schemesPath' | 'dataDir'> & { readonly clock: Pick<Clock, 'wallNow'> }

/** @throws {SchemeError} for schemes that do not load, or cannot be signed again */
export async function ownSchemes(
  { schemesPath, dataDir = tmpdir(), clock }: Options,
  { timestampServer, revocationServer, keyshareServer, keyshareKey }: OwnAddresses,
  onClose: OnClose,
): Promise<OwnSchemes> {
  const folder = await mkdtemp(join(dataDir, 'svc-demo-schemes-'))
  onClose(() => rm(folder, { recursive: true, force: true }))
  await cp(schemesPath, folder, { recursive: true })
  const [scheme, issuer, type] = REVOCABLE.split('.')
  const permit = join(folder, `${scheme}/${issuer}/Issues/${type}/description.xml`)
  await rewrite(permit, 'RevocationServer', revocationServer)
  await rewrite(join(folder, KEYSHARE_SCHEME, 'description.xml'), 'KeyshareServer', keyshareServer)
  await writeFile(join(folder, KEYSHARE_SCHEME, 'kss-0.pem'), keyshareKey)
  for (const name of await readdir(folder)) {
    await rewrite(join(folder, name, 'description.xml'), 'TimestampServer', timestampServer)
    const key = createPrivateKey(await readFile(join(folder, name, 'sk.pem')))
    signScheme(join(folder, name), key, Math.floor(clock.wallNow() / 1_000))
  }
  return { schemes: await loadSchemes(folder), folder }
}

/** @param content without characters that have a meaning in XML */
async function rewrite(file: string, element: string, content: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    text.replace(new RegExp(`(<${element}>)[^<]*`), (_, tag: string) => tag + content),
  )
}
