/** A timestamp server (spec/cryptography#8.3): signs a time together with a hash, and returns its public key. It does not learn the message or its signer. For
 *  the demo and for tests: every client gets a stamp. @module */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { signTimestamp } from '../crypto/timestamp.ts'
import { closeListener, smallListener } from '../http/listen.ts'
import type { Clock } from '../ports/clock.ts'
import { readJson, writeJson } from '../protocol/json.ts'
import { listen } from './listen.ts'

export type TimestampServerOptions = {
  readonly clock: Pick<Clock, 'wallNow' | 'setTimeout' | 'clearTimeout'>
  /** Ed25519, private; default: a new key */
  readonly key?: KeyObject
  /** time until which stamps of the key are trusted, Unix seconds */
  readonly expiresAtSec: number
}

export type TimestampServer = {
  /** @param port 0: any free one
   *  @returns the address, with a slash at the end, as schemes name timestamp servers
   *  @throws the system's error about the address */
  listen(port: number, host: string): Promise<string>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 4096
/** Number of bytes of a nonce, a SHA-256 hash. The signed data always have 40 bytes. */
const NONCE_BYTES = 32

const REQUEST = z.object({
  Nonce: z.base64(),
  ProofOfWork: z.null().optional(),
  Time: z.null().optional(),
  PreferredSigAlg: z.string().nullish(),
})

export function createTimestampServer(options: TimestampServerOptions): TimestampServer {
  const key = options.key ?? generateKeyPairSync('ed25519').privateKey
  const stamper: Stamper = { ...options, key, publicKey: rawPublicKey(key), address: '' }
  const server = smallListener(options.clock, null, (req, res) => {
    void answer(stamper, req, res)
  })
  return {
    async listen(port, host) {
      stamper.address = `${await listen(server, port, host)}/`
      return stamper.address
    },
    close: () => closeListener(server),
  }
}

type Stamper = {
  readonly clock: Pick<Clock, 'wallNow'>
  readonly key: KeyObject
  /** 32 bytes */
  readonly publicKey: Buffer
  readonly expiresAtSec: number
  address: string
}

async function answer(stamper: Stamper, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [path, query] = (req.url ?? '').split('?', 2)
  if (req.method === 'GET' && path === '/checkPublicKey')
    return send(res, 200, checkPublicKey(stamper, query))
  if (path !== '/') return send(res, 404, failure('not found'))
  if (req.method !== 'POST') return send(res, 405, failure('expected POST'))
  const body = await readBody(req)
  if (body === null)
    return send(res.setHeader('Connection', 'close'), 413, failure('the request is too long'))
  const nonce = nonceOf(body)
  if (!nonce)
    return send(res, 400, failure(`expected JSON with a Nonce of ${NONCE_BYTES} bytes, and no Time`))
  send(res, 200, { Error: null, Stamp: stamp(stamper, nonce), Info: null })
}

/** The response without a stamp. */
function failure(reason: string) {
  return { Error: reason, Stamp: null, Info: null }
}

function stamp({ clock, key, publicKey, address }: Stamper, nonce: Buffer) {
  const timeSec = Math.floor(clock.wallNow() / 1000)
  const data = Buffer.from(signTimestamp(timeSec, nonce, key))
  const Sig = { Alg: 'ed25519', Data: data.toString('base64'), PublicKey: publicKey.toString('base64') }
  return { Time: timeSec, ServerUrl: address, Sig }
}

function checkPublicKey({ publicKey, expiresAtSec }: Stamper, query = '') {
  const asked = new URLSearchParams(query)
  const isOurs =
    asked.get('alg') === 'ed25519' && asked.get('pk')?.toLowerCase() === publicKey.toString('hex')
  return { Trusted: isOurs, Expires: rfc3339(isOurs ? expiresAtSec : 0) }
}

function rfc3339(timeSec: number): string {
  return `${new Date(timeSec * 1000).toISOString().slice(0, 19)}Z`
}

/** @returns null for an invalid request */
function nonceOf(body: string): Buffer | null {
  const request = REQUEST.safeParse(parse(body))
  const nonce = request.success ? Buffer.from(request.data.Nonce, 'base64') : null
  return nonce?.length === NONCE_BYTES ? nonce : null
}

function parse(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined // not JSON: refused like any other wrong shape
  }
}

/** Reads a body. It never resolves if the connection breaks.
 *  @returns null if the body is too long */
function readBody(req: IncomingMessage): Promise<string | null> {
  return new Promise(resolve => {
    let body = Buffer.alloc(0)
    req.on('data', (chunk: Buffer) => {
      if (body.length <= MAX_BODY_BYTES) body = Buffer.concat([body, chunk])
      if (body.length > MAX_BODY_BYTES) resolve(null)
    })
    req.on('end', () => resolve(body.toString('utf8')))
  })
}

function send(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(writeJson(body))
}

/** The last 32 bytes of the standard form of an Ed25519 key. */
function rawPublicKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32)
}
