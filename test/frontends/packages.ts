/** The packages under test, unmodified: how a page starts each of them, and their differences. @module */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { polyfillNode } from 'esbuild-plugin-polyfill-node'
import { PROJECT } from '../project.ts'
import type { FlowName } from './flows.ts'

const resolvePackage = createRequire(join(PROJECT, 'package.json')).resolve

/** Texts by file name. */
type Files = ReadonlyMap<string, string>

type Cannot = Readonly<Partial<Record<FlowName, string>>>

const COVERED: Cannot = { 'nobody scans': 'it can try again after a time-out, which is a separate flow' }
const OLD: Cannot = {
  'pairing, with a wrong code first': 'frontend protocol 1.0 has no pairing',
  'a code instead of a link': 'frontend protocol 1.0 has no pairing, which this flow uses',
  'a chain of two': 'frontend protocol 1.0 has no chains: it stops after the first session',
  'tried again after a time-out': 'it gets one session, and does not start others',
}

/** The text of a code for a session pointer as it was received. */
type TextOf = (pointer: object) => string

export type BrowserPackage = {
  readonly name: string
  /** first part of its class names */
  readonly brand: 'irma' | 'yivi'
  readonly isPopup: boolean
  /** files of the page by name, including `package.js`, and `package.css` if the package has styles */
  readonly files: () => Promise<Files>
  /** JavaScript after `package.js`: a function of options whose result has `start()` */
  readonly newFrontend: string
  /** text of its QR code */
  readonly codeText: TextOf
  /** the beginning of its link on iOS */
  readonly iosLink: string
  /** refused: it opens the server's stream without `Authorization`, gets 403, and polls */
  readonly stream: 'opened' | 'refused'
  /** frontend protocol 1.0: it calls the older addresses, without authorization */
  readonly isOld: boolean
  /** flows that it does not support, with the reason */
  readonly cannot: Cannot
  /** true if it starts sessions itself, without a back end of the site */
  readonly startsItself: boolean
}

const plain: TextOf = pointer => JSON.stringify(pointer)
const secondDevice: TextOf = pointer =>
  `https://open.yivi.app/-/session#${encodeURIComponent(JSON.stringify({ ...pointer, continueOnSecondDevice: true }))}`

/** Bundles a package like a site does. */
async function bundle(entry: string, css: string): Promise<Files> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: PROJECT },
    bundle: true,
    write: false,
    logLevel: 'error',
    plugins: [polyfillNode({ polyfills: { http: true, https: true } })],
  })
  return new Map([
    ['package.js', outputFiles[0]?.text ?? ''],
    ['package.css', read(resolvePackage(css))],
  ])
}

async function ready(name: string, ...chunks: readonly string[]): Promise<Files> {
  const file = resolvePackage(name)
  return new Map([
    ['package.js', read(file)],
    ...chunks.map(chunk => [chunk, read(join(dirname(file), chunk))] as const),
  ])
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

function modular(brand: 'irma' | 'yivi', view: 'web' | 'popup'): BrowserPackage {
  const isYivi = brand === 'yivi'
  const scope = `@privacybydesign/${brand}`
  const named = (name: string): string => (isYivi ? `{ ${name} }` : name)
  const entry = `import ${named('YiviCore')} from '${scope}-core'
    import ${named('YiviClient')} from '${scope}-client'
    import View from '${scope}-${view}'
    window.parts = { Core: YiviCore, Client: YiviClient, View }`
  return {
    name: `${brand}-core, ${brand}-client, ${brand}-${view}`,
    brand,
    isPopup: view === 'popup',
    files: () => bundle(entry, `${scope}-css`),
    newFrontend: `options => {
      const core = new parts.Core(options)
      core.use(parts.View)
      core.use(parts.Client)
      return core
    }`,
    codeText: isYivi ? secondDevice : plain,
    iosLink: `https://${isYivi ? 'open.yivi.app' : 'irma.app'}/-/session#`,
    stream: isYivi ? 'refused' : 'opened',
    isOld: false,
    cannot: COVERED,
    startsItself: false,
  }
}

function bundled(brand: 'irma' | 'yivi', view: 'Web' | 'Popup'): BrowserPackage {
  return {
    name: `${brand}-frontend (new${view})`,
    brand,
    isPopup: view === 'Popup',
    files: () => ready(`@privacybydesign/${brand}-frontend`),
    newFrontend: `${brand}.new${view}`,
    codeText: plain,
    iosLink: 'https://irma.app/-/session#',
    stream: 'opened',
    isOld: false,
    cannot: COVERED,
    startsItself: false,
  }
}

const IRMAJS: BrowserPackage = {
  name: 'irmajs',
  brand: 'irma',
  isPopup: true,
  files: () => ready('@privacybydesign/irmajs/dist/irma.js', 'jwt.js', 'vendors~jwt.js'),
  newFrontend: `({ session: { url, start } }) => ({
    start: async () => {
      const started = await irma.startSession(url, start.request, ...start.auth)
      window.started = started
      return irma.handleSession(started.sessionPtr, { server: url, token: started.token, language: 'en' })
    },
  })`,
  codeText: plain,
  iosLink: 'https://irma.app/-/session#',
  stream: 'opened',
  isOld: true,
  cannot: OLD,
  startsItself: true,
}

export const BROWSER_PACKAGES: readonly BrowserPackage[] = [
  modular('yivi', 'web'),
  modular('yivi', 'popup'),
  bundled('yivi', 'Web'),
  bundled('yivi', 'Popup'),
  modular('irma', 'web'),
  modular('irma', 'popup'),
  bundled('irma', 'Web'),
  bundled('irma', 'Popup'),
  IRMAJS,
]
