/** Copies of the demo schemes with another keyshare server. It replaces theirs, or belongs to a second scheme: `svc-keyshare` under another name, whose mail
 *  type has a random blind attribute. @module */
import { createPrivateKey } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signScheme } from '../../../schemes/sign.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

export const SECOND = 'svc-second'
const FIRST = 'svc-keyshare'
const BLIND =
  '<Attribute id="number" randomblind="true"><Name><en>N</en><nl>N</nl></Name><Description><en>N</en><nl>N</nl></Description></Attribute>'

/** The demo schemes, with this address for the keyshare server of the scheme that has one.
 *  @returns a folder of schemes */
export function withKeyshareServer(address: string): string {
  const folder = temporaryFolder()
  cpSync(DEMO_SCHEMES, folder, { recursive: true })
  const scheme = join(folder, FIRST)
  rewrite(join(scheme, 'description.xml'), text => withElement(text, 'KeyshareServer', address))
  signAgain(scheme)
  return folder
}

/** @param addresses of its keyshare server, and of the timestamp server of all schemes
 *  @returns a folder of schemes */
export function withSecondScheme(addresses: { readonly keyshare: string; readonly stamps: string }): string {
  const folder = temporaryFolder()
  cpSync(DEMO_SCHEMES, folder, { recursive: true })
  const scheme = join(folder, SECOND)
  cpSync(join(folder, FIRST), scheme, { recursive: true })
  for (const name of readdirSync(scheme, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('description.xml')) rewrite(join(scheme, name), text => text.replaceAll(FIRST, SECOND))
  rewrite(join(scheme, 'description.xml'), text => withElement(text, 'KeyshareServer', addresses.keyshare))
  rewrite(join(scheme, 'keyshare/Issues/mail/description.xml'), text =>
    text.replace('</Attributes>', `${BLIND}</Attributes>`),
  )
  for (const each of readdirSync(folder).map(name => join(folder, name))) {
    rewrite(join(each, 'description.xml'), text => withElement(text, 'TimestampServer', addresses.stamps))
    signAgain(each)
  }
  return folder
}

function signAgain(scheme: string): void {
  const key = createPrivateKey(readFileSync(join(scheme, 'sk.pem')))
  signScheme(scheme, key, Math.floor(Date.now() / 1000))
}

function withElement(text: string, element: string, content: string): string {
  return text.replace(new RegExp(`(<${element}>)[^<]*`), (_, tag: string) => tag + content)
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
