/** One session from the terminal, and the sessions chained to it: starts it or continues an existing one, shows its pointer, follows its status and prints its
 *  result. Results go to standard output, everything else to standard error. @module */
import { z } from 'zod'
import { PROFILES } from '../../protocol/profiles.ts'
import { schemesOfCommand } from '../../server/files/schemes-folder.ts'
import { requestBody } from '../request/body.ts'
import { cancelOnSignal } from './cancel.ts'
import type { SessionFlags } from './flags.ts'
import { call, jsonOf, RefusedError } from './http.ts'
import { nextSession } from './next.ts'
import { frontendAddress, parseSessionPackage, type SessionPackage } from './package.ts'
import { enablePairing, pair } from './pairing.ts'
import { showPointer } from './show-pointer.ts'
import { followStatus, type Status } from './status.ts'

export async function runSession(flags: SessionFlags): Promise<void> {
  if (flags.fromPackage !== undefined) {
    const session = parseSessionPackage(jsonOf(flags.fromPackage))
    return follow(session, addressOf(flags) ?? requestorAddress(session), flags)
  }
  const server = addressOf(flags)
  if (server) return startAndFollow(server, flags)
  const { startOwnServer } = await import('./own-server.ts')
  const given = { ...flags, schemesPath: schemesOfCommand(flags.schemesPath) }
  const own = await startOwnServer(given)
  return startAndFollow(own.server, { ...given, authMethod: 'token', key: own.token }).finally(() =>
    own.close(),
  )
}

function addressOf({ server }: SessionFlags): string | undefined {
  return server?.replace(/\/$/, '')
}

async function startAndFollow(server: string, flags: SessionFlags): Promise<void> {
  const request = await requestBody(flags)
  const started = call('session request', `${server}/session`, { method: 'POST', ...request })
  const answer = await started.catch((error: unknown) => {
    throw withRemedy(error, flags)
  })
  return follow(parseSessionPackage(jsonOf(answer)), server, flags)
}

/** Adds advice to the error of a server with another profile, whose message names that profile. No advice for a request given in JSON, because no flag changes its
 *  names. */
function withRemedy(error: unknown, { profile, request }: SessionFlags): unknown {
  if (!(error instanceof RefusedError) || request !== undefined) return error
  const other = Object.values(PROFILES).find(
    ({ name }) => name !== profile && error.message.endsWith(`this server has the profile ${name}`),
  )
  return other ? new RefusedError(`${error.message}; try --profile ${other.name}`, error.type) : error
}

/** The address of the requestor endpoints, if requestors and wallet apps use one address: the part of the session pointer before the profile. Undefined if the
 *  pointer has another form. */
function requestorAddress({ sessionPtr }: SessionPackage): string | undefined {
  return /^(.*)\/(?:svc|irma)\/session\/[^/]+$/.exec(sessionPtr.u)?.[1]
}

async function follow(first: SessionPackage, server: string | undefined, flags: SessionFlags): Promise<void> {
  let session = first
  const stopListening = cancelOnSignal(() => session)
  const { contextBase } = PROFILES[flags.profile]
  let code = flags.pairing && (await enablePairing(frontendAddress(first), contextBase))
  showPointer(first.sessionPtr, flags)
  for (;;) {
    const status = await untilFinal(session, code)
    const result = await resultOf(session, server)
    if (result === undefined) process.stderr.write('No session result available.\n')
    else showResult(result, flags)
    if (flags.fail) requireValid(result)
    const next = status === 'DONE' ? await nextSession(session, result) : null
    if (next === null) break
    session = next
    code = undefined // chained sessions have no pairing
  }
  stopListening()
}

/** @param code of the pairing; undefined: pairing is off */
async function untilFinal(session: SessionPackage, code: string | undefined): Promise<Status | undefined> {
  const ended = new AbortController()
  let pairing: Promise<void> | undefined
  let last: Status | undefined
  try {
    for await (const status of followStatus(frontendAddress(session))) {
      last = status
      if (status === 'PAIRING' && code) pairing ??= pair(session, code, ended.signal)
      if (status === 'CONNECTED' && code && !pairing)
        process.stderr.write('Pairing is not supported by the connected device.\n')
    }
  } finally {
    ended.abort() // otherwise the question about the code would keep the process alive
    await pairing
  }
  return last
}

/** @returns undefined: the address of the server is not known
 *  @throws {RefusedError} */
async function resultOf({ token }: SessionPackage, server: string | undefined): Promise<object | undefined> {
  if (!token || server === undefined) return undefined
  const result = jsonOf(await call('session result', `${server}/session/${token}/result`))
  if (typeof result !== 'object' || result === null)
    throw new RefusedError('session result: expected a JSON object, got something else')
  return result
}

const ending = z.object({ status: z.string(), proofStatus: z.string().optional() })

/** @throws {Error} unless the session is DONE with valid proofs */
function requireValid(result: object | undefined): void {
  const { data } = ending.safeParse(result)
  if (data?.status === 'DONE' && data.proofStatus === 'VALID') return
  const got = data ? `${data.status} with ${data.proofStatus ?? 'no proofs'}` : 'no result with a status'
  throw new Error(`session: expected DONE with proofs that are VALID (--fail), got ${got}`)
}

function showResult(result: object, { json }: SessionFlags): void {
  process.stdout.write(
    json ? `${JSON.stringify(result)}\n` : `Session result:\n${JSON.stringify(result, null, 2)}\n`,
  )
}
