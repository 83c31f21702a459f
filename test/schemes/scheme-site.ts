/** A scheme with several versions, on a real web server of this process, which can also send wrong, cut, slow and endless files. @module */
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { signScheme } from '../../schemes/sign.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The time of the first version's signature; each later version is signed a second later. */
export const FIRST_SEC = 1_800_000_000

/** The credential type that changes: from version 2 on, it has the required attribute `locker`. */
export const GROWING = 'svc-demo.uni.student'
const FILE = 'uni/Issues/student/description.xml'
const LOCKER =
  '<Attribute id="locker"><Name><en>Locker</en></Name><Description><en>Locker.</en></Description></Attribute>'

/** @returns true if the trick has answered in place of the site */
export type Trick = (path: string, answer: ServerResponse) => boolean

export type SchemeSite = {
  readonly url: string
  /** @returns a folder of schemes that contains version 1 of `svc-demo` */
  readonly install: () => string
  /** The site serves this version from now on. */
  publish(version: number): void
  /** the folder that the site serves; changes in it are not signed */
  readonly folder: string
  /** requested files */
  readonly asked: string[]
  /** Sets the trick for all further requests; null for none. */
  play(trick: Trick | null): void
  close(): Promise<void>
}

export async function schemeSite(): Promise<SchemeSite> {
  const folder = join(temporaryFolder(), 'site')
  const asked: string[] = []
  let trick: Trick | null = null
  const server = createServer((request, answer) => {
    const path = (request.url ?? '').replace(/^\/svc-demo\//, '')
    asked.push(path)
    if (trick?.(path, answer)) return
    const file = join(folder, path)
    if (existsSync(file)) answer.end(readFileSync(file))
    else answer.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on a port
  const url = `http://127.0.0.1:${port}/svc-demo`
  const publish = (version: number): void => makeVersion(folder, url, version)
  publish(1)
  return {
    url,
    folder,
    asked,
    publish,
    install() {
      const parent = join(temporaryFolder(), 'schemes')
      mkdirSync(parent)
      const kept = join(temporaryFolder(), 'first')
      makeVersion(kept, url, 1)
      cpSync(kept, join(parent, 'svc-demo'), { recursive: true })
      return parent
    },
    play(next) {
      trick = next
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function makeVersion(folder: string, url: string, version: number): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(DEMO_SCHEMES, 'svc-demo'), folder, { recursive: true })
  rewrite(join(folder, 'description.xml'), text => text.replace(/<Url>[^<]*/, `<Url>${url}`))
  if (version > 1)
    rewrite(join(folder, FILE), text => text.replace('</Attributes>', `${LOCKER}</Attributes>`))
  rewrite(join(folder, FILE), text => `${text}<!-- ${version} -->\n`)
  signScheme(folder, createPrivateKey(readFileSync(join(folder, 'sk.pem'))), FIRST_SEC + version - 1)
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
