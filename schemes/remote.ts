/** A scheme on a web server (spec/schemes-and-cli#11). Its index is trusted only by its signature, and its files by their hashes in the index.
 *  @module */

import { hash, type KeyObject } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseUrl } from '../ports/parse-url.ts'
import { timestampIn } from './build-scheme.ts'
import { SchemeError } from './scheme-error.ts'
import { checkSignatureOf, type Index, LIMITS, limitOf, parseIndex } from './signed-files.ts'

/** The body of the answer to a GET.
 *  @throws {Error} for any status but 200, and for more than `maxBytes` */
export type FetchFile = (url: string, maxBytes: number) => Promise<Buffer>

export type RemoteIndex = Index & {
  readonly index: Buffer
  readonly signature: Buffer
  readonly timestampSec: number
}

/** The number of concurrent requests. */
const LANES = 4
/** The maximum size of a scheme in bytes: twenty times the largest scheme in use. */
const MAX_BYTES = 256 << 20

/** Files that a download must never write, even if they are signed: the trusted key, private keys, and hidden files that other programs read. */
const NEVER_FETCHED = /^((pk|sk)\.pem|index|index\.sig)$|(^|\/)(PrivateKeys\/|\.)/i

/** @param url of the scheme's folder, without a slash at its end
 *  @throws {SchemeError} unless the index is signed with the key */
export async function fetchIndex(url: string, key: KeyObject, fetchFile: FetchFile): Promise<RemoteIndex> {
  const index = await fetchFile(`${url}/index`, LIMITS.index)
  const signature = await fetchFile(`${url}/index.sig`, LIMITS.signature)
  checkSignatureOf(index, key, `${url}/index.sig`, signature)
  const parsed = parseIndex(`${url}/index`, index.toString('utf8'))
  const foreign = [...parsed.hashes.keys()].find(path => NEVER_FETCHED.test(path))
  if (foreign !== undefined)
    throw new SchemeError(`${url}/index`, `expected files of a scheme, got ${JSON.stringify(foreign)}`)
  const timestamp = await fetchSigned(url, 'timestamp', parsed, fetchFile)
  return { ...parsed, index, signature, timestampSec: timestampIn(`${url}/timestamp`, timestamp) }
}

async function fetchSigned(
  url: string,
  path: string,
  { hashes }: Index,
  fetchFile: FetchFile,
): Promise<Buffer> {
  const address = `${url}/${path.split('/').map(encodeURIComponent).join('/')}`
  const content = await fetchFile(address, limitOf(path))
  if (hash('sha256', content) === hashes.get(path)) return content
  throw new SchemeError(address, 'hash is not the one in the index')
}

/** Writes the index, its signature, and every file of the index that is not in the folder yet.
 *  @param present paths below the folder of files that already have the right hash */
export async function fetchInto(
  folder: string,
  {
    url,
    remote,
    present,
  }: { readonly url: string; readonly remote: RemoteIndex; readonly present: ReadonlySet<string> },
  fetchFile: FetchFile,
): Promise<void> {
  writeFileSync(join(folder, 'index'), remote.index, { flush: true })
  writeFileSync(join(folder, 'index.sig'), remote.signature, { flush: true })
  const missing = [...remote.hashes.keys()].filter(path => !present.has(path))
  let bytes = 0
  const fetchOne = async (path: string): Promise<void> => {
    const content = await fetchSigned(url, path, remote, fetchFile)
    bytes += content.length
    if (bytes > MAX_BYTES) throw new SchemeError(url, `expected at most ${MAX_BYTES} bytes`)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content, { flush: true })
  }
  await eachInLanes(missing, fetchOne)
}

/** When it resolves or rejects, no request is pending. */
async function eachInLanes(paths: readonly string[], use: (path: string) => Promise<void>): Promise<void> {
  const queue = [...paths]
  const lane = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) await use(path)
  }
  const stopping = async (): Promise<void> =>
    lane().catch((error: unknown) => {
      queue.length = 0
      throw error
    })
  const ended = await Promise.allSettled(Array.from({ length: LANES }, stopping))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}

/** Reserved top-level domains (RFC 2606): examples, demo and development schemes use them as addresses without a server. */
const NOWHERE = /\.(test|example|invalid)$/

/** True if updates can be downloaded from the `Url` of a scheme. */
export function hasServer(url: string): boolean {
  const parsed = parseUrl(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && !NOWHERE.test(parsed.hostname)
}
