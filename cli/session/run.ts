/** One session from the terminal: start it or take it over, show its pointer, follow its status, print its result. Results go to standard
 *  output, everything else to standard error. @module */
import { existsSync, readFileSync } from 'node:fs'
import QRCode from 'qrcode'
import { writeJson } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { defaultSchemesPath } from '../directories.ts'
import type { SessionFlags } from '../session.ts'
import { cancelOnSignal } from './cancel.ts'
import { call, jsonOf, Refused } from './http.ts'
import { frontendAddress, parseSessionPackage, type SessionPackage } from './package.ts'
import { enablePairing, pair } from './pairing.ts'
import { disclosureRequest } from './request.ts'
import { followStatus } from './status.ts'

type Requestor = { readonly server: string; readonly token: string | undefined }

export async function runSession(flags: SessionFlags): Promise<void> {
  if (flags.fromPackage !== undefined) {
    const session = parseSessionPackage(jsonOf(flags.fromPackage))
    return follow(session, requestorAddress(session), flags)
  }
  if (flags.server) {
    const token = flags.key && textOrContent(flags.key)
    return startAndFollow({ server: flags.server, token }, flags)
  }
  const { startOwnServer } = await import('./own-server.ts')
  const own = await startOwnServer(flags)
  return startAndFollow(own, flags).finally(() => own.close())
}

async function startAndFollow(requestor: Requestor, flags: SessionFlags): Promise<void> {
  const server = requestor.server.replace(/\/$/, '')
  const body = flags.request ?? (await builtRequest(flags))
  const authorization = requestor.token && { authorization: requestor.token }
  const headers = { 'content-type': 'application/json', ...authorization }
  const answer = await call('session request', `${server}/session`, { method: 'POST', headers, body })
  return follow(parseSessionPackage(jsonOf(answer)), server, flags)
}

async function builtRequest({ disclose, profile, schemesPath }: SessionFlags): Promise<string> {
  const { loadSchemes } = await import('../../schemes/load.ts')
  const schemes = await loadSchemes(schemesPath ?? defaultSchemesPath())
  return disclosureRequest(disclose, PROFILES[profile].contextBase, schemes)
}

function textOrContent(key: string): string {
  return existsSync(key) ? readFileSync(key, 'utf8').replace(/\r?\n$/, '') : key
}

/** A pointer shows where the endpoints of requestors are, when both stand below one address. */
function requestorAddress({ sessionPtr }: SessionPackage): string | undefined {
  return /^(.*)\/(?:svc|irma)\/session\/[^/]+$/.exec(sessionPtr.u)?.[1]
}

async function follow(
  session: SessionPackage,
  server: string | undefined,
  flags: SessionFlags,
): Promise<void> {
  const stopListening = cancelOnSignal(session)
  const { contextBase } = PROFILES[flags.profile]
  const code = flags.pairing && (await enablePairing(frontendAddress(session), contextBase))
  await showPointer(session, flags)
  await untilFinal(session, code)
  stopListening()
  if (!session.token || server === undefined) process.stderr.write('No session result available.\n')
  else showResult(await call('session result', `${server}/session/${session.token}/result`), flags)
}

/** @param code of the pairing, if it is on */
async function untilFinal(session: SessionPackage, code: string | undefined): Promise<void> {
  const ended = new AbortController()
  let pairing: Promise<void> | undefined
  try {
    for await (const status of followStatus(frontendAddress(session))) {
      if (status === 'PAIRING' && code) pairing ??= pair(session, code, ended.signal)
      if (status === 'CONNECTED' && code && !pairing)
        process.stderr.write('Pairing is not supported by the connected device.\n')
    }
  } finally {
    ended.abort() // else the question about the code keeps the process
    await pairing
  }
}

async function showPointer({ sessionPtr }: SessionPackage, { json, noqr }: SessionFlags): Promise<void> {
  const text = writeJson(sessionPtr)
  const isLine = json || noqr
  const shown = isLine ? text : await QRCode.toString(text, { type: 'terminal', errorCorrectionLevel: 'L' })
  process.stdout.write(`${shown}\n`)
}

/** @throws {Refused} */
function showResult(answer: string, { json }: SessionFlags): void {
  const result = jsonOf(answer)
  if (typeof result !== 'object' || result === null)
    throw new Refused('session result: expected a JSON object, got something else')
  process.stdout.write(
    json ? `${JSON.stringify(result)}\n` : `Session result:\n${JSON.stringify(result, null, 2)}\n`,
  )
}
