/** A checkout of this project after `npm ci && npm run build`, as a newcomer has it, with its own folder and home. The commands of the pages run in
 *  it unchanged, on the ports that they name. If another program uses such a port, a free one replaces it, in the pages and in the demo schemes. @module */
import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative, sep } from 'node:path'
import { signScheme } from '../../schemes/sign.ts'
import { freePort, isFree } from '../cli/run-svc.ts'
import { PROJECT } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The port of a server if its settings name none. */
const DEFAULT_PORT = 8088
/** Port of the tour's timestamp server. The tours of other tests take it too, if only for a moment. */
const TIMESTAMP_PORT = 8190
/** Every port that the pages name. Nothing else of a page is changed. */
const PORTS = [8060, 8070, 8072, 8073, DEFAULT_PORT, 8089, 8090, 8189, TIMESTAMP_PORT] as const
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', 'coverage', 'try'])

/** replacements of ports that are in use */
type Others = ReadonlyMap<number, number>

export type Checkout = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** The text of a page with the ports of this checkout. */
  asHere(text: string): string
}

export async function newCheckout(): Promise<Checkout> {
  const home = temporaryFolder()
  const folder = join(home, 'checkout')
  cpSync(PROJECT, folder, { recursive: true, filter: file => !NOT_COPIED.has(topOf(file)) })
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  const others = await portsHere()
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    HOME: home,
    npm_config_update_notifier: 'false', // npm would ask its registry for a newer npm
    ...(others.has(DEFAULT_PORT) && { SVCSERVER_PORT: String(others.get(DEFAULT_PORT)) }),
  }
  if (others.size > 0) nameOtherPorts(join(folder, 'demo/schemes'), others)
  execFileSync('npm', ['run', '-s', 'build'], { cwd: folder, env, stdio: 'inherit' })
  return { folder, env, asHere: text => withPorts(refuseUnknownPorts(text), others) }
}

function topOf(file: string): string {
  return (
    relative(PROJECT, file)
      .split(sep)[0]
      ?.replace(/^dist\..*/, 'dist') ?? ''
  )
}

async function portsHere(): Promise<Others> {
  const others = new Map<number, number>()
  for (const port of PORTS) {
    if (port !== TIMESTAMP_PORT && (await isFree(port))) continue
    const other = await freePort()
    console.log(`port ${port} of the pages may be taken: ${other} stands in for it`)
    others.set(port, other)
  }
  return others
}

/** Port 0 means any free port.
 *  @throws {Error} for another port that is not in the table, because a conflict would go unnoticed */
export function refuseUnknownPorts(text: string): string {
  for (const [found, port] of text.matchAll(/(?:127\.0\.0\.1:|localhost:|--port |port: |listen\()(\d+)/g))
    if (![0, ...PORTS].some(known => known === Number(port)))
      throw new Error(`"${found}": expected one of the ports ${PORTS.join(', ')}`)
  return text
}

export function withPorts(text: string, others: Others): string {
  return [...others].reduce(
    (before, [port, other]) => before.replace(new RegExp(`\\b${port}\\b`, 'g'), String(other)),
    text,
  )
}

/** Changes the ports in the descriptions of the demo schemes, and signs each scheme with the private key beside it. */
function nameOtherPorts(schemes: string, others: Others): void {
  for (const name of readdirSync(schemes)) {
    const scheme = join(schemes, name)
    const description = join(scheme, 'description.xml')
    writeFileSync(description, withPorts(readFileSync(description, 'utf8'), others))
    const key = createPrivateKey(readFileSync(join(scheme, 'sk.pem')))
    signScheme(scheme, key, Math.floor(Date.now() / 1_000))
  }
}
