/** Checks a server. The flags give the requestor and the requests; the wallet is an existing one, or a new one that is deleted afterwards. @module */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenForOthers } from '../../libraries/conformance/other-servers.ts'
import { type RowOutcome, tryRows } from '../../libraries/conformance/run.ts'
import type { Requestor, Target } from '../../libraries/conformance/service.ts'
import { type Offer, offerOf, subjectOf } from '../../libraries/conformance/subject.ts'
import { rowsThat } from '../../libraries/conformance/trials/trials.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { pause } from '../../ports/clock.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { parseAttributeTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import type { Schemes } from '../../schemes/types.ts'
import { authenticatedBody } from '../request/body.ts'
import { credentialRequest } from '../request/build.ts'
import { idOf } from '../request/identifier.ts'
import { keyOf, signClaims, signRequest } from '../request/sign.ts'
import { initWallet, type WalletCommandDeps, withWallet } from '../wallet/folder.ts'
import type { ConformanceFlags } from './flags.ts'
import { countsOf, lineOf } from './print.ts'

/** @throws {Error} if the server cannot be tried, if a row fails, and after Ctrl-C */
export async function tryServer(flags: ConformanceFlags): Promise<void> {
  const rows = rowsThat(flags.row)
  const outcomes: RowOutcome[] = []
  await withTarget(flags, async target => {
    for await (const outcome of tryRows(target, rows)) {
      outcomes.push(outcome)
      process.stdout.write(`${flags.json ? JSON.stringify(outcome) : lineOf(outcome)}\n`)
    }
  })
  report(outcomes, rows.length, flags)
}

/** Calls `use` with the server that the flags name. Ctrl-C aborts `target.signal`. */
export async function withTarget(
  flags: ConformanceFlags,
  use: (target: Target) => Promise<void>,
): Promise<void> {
  const left = new AbortController()
  const leave = (): void => left.abort()
  process.once('SIGINT', leave).once('SIGTERM', leave)
  await withWalletOf(flags, async (wallet, deps) => {
    const others = await listenForOthers(flags.listenUrl ?? null)
    const reached = isOnThisMachine(flags.server) || flags.listenUrl !== undefined ? others : null
    try {
      await use(targetOf(flags, wallet, deps, { others: reached, signal: left.signal }))
    } finally {
      await others.close()
    }
  }).finally(() => process.off('SIGINT', leave).off('SIGTERM', leave))
}

function report(outcomes: readonly RowOutcome[], count: number, { json }: ConformanceFlags): void {
  if (!json) process.stdout.write(`${countsOf(outcomes)}\n`)
  if (outcomes.length < count)
    throw new Error(
      `conformance: interrupted after ${outcomes.length} of ${count} rows; sessions that were begun time out`,
    )
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length
  if (failed > 0)
    throw new Error(`conformance: expected every row to be ok or not tried, got ${failed} that failed`)
}

type Use = (wallet: Wallet, deps: WalletCommandDeps) => Promise<void>

async function withWalletOf({ wallet, schemesPath }: ConformanceFlags, use: Use): Promise<void> {
  const schemes = schemesPath === undefined ? {} : { schemesPath }
  if (wallet !== undefined) return withWallet({ ...schemes, dir: wallet }, use)
  const folder = mkdtempSync(join(tmpdir(), 'svc-conformance-'))
  try {
    const dir = join(folder, 'wallet')
    await initWallet({ ...schemes, dir, demo: true }, () => {})
    await withWallet({ ...schemes, dir }, use)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function targetOf(
  flags: ConformanceFlags,
  wallet: Wallet,
  { clock, randomBytes }: WalletCommandDeps,
  rest: Pick<Target, 'others' | 'signal'>,
): Target {
  const asked = flags.disclose === undefined ? null : idOf('--disclose', flags.disclose, parseAttributeTypeId)
  return {
    ...rest,
    wallet,
    clock,
    randomBytes,
    fetch: systemFetch,
    profile: PROFILES[flags.profile],
    isLong: flags.long === true,
    server: flags.server.replace(/\/+$/, ''),
    requestor: requestorOf(flags, () => Math.floor(clock.wallNow() / 1_000)),
    subject: subjectOf(wallet, asked),
    offer: offerIn(flags.issue, wallet.schemes),
    wait: ms => pause(clock, ms, rest.signal),
  }
}

/** The demo credential type that has an optional attribute and allows several instances. */
const NOTE = 'svc-demo.fast.note'

function offerIn(issue: string | undefined, schemes: Schemes): Offer | null {
  const isKnown = schemes.credentialType(parseCredentialTypeId(NOTE)) !== undefined
  if (issue === undefined && !isKnown) return null
  const { type, request } = credentialRequest(issue ?? `${NOTE}=a note,to try a server`, schemes)
  return offerOf(type, request.attributes)
}

function requestorOf(flags: ConformanceFlags, nowSec: () => number): Requestor {
  const { authMethod, name = '' } = flags
  const isSigned = authMethod === 'hmac' || authMethod === 'rsa'
  return {
    method: isSigned ? 'signed' : authMethod,
    body: (type, request) =>
      authenticatedBody(flags, {
        plain: async () => JSON.stringify(request),
        signed: (signer, atSec) =>
          signRequest({ type, extended: 'request' in request ? request : { request } }, signer, atSec),
      }),
    async sign(claims) {
      if (!isSigned) throw new Error('--auth-method: expected hmac or rsa, got a method without signatures')
      return signClaims({ ...claims }, { method: authMethod, key: keyOf(flags), name }, nowSec())
    },
  }
}

/** True for loopback addresses. A server elsewhere cannot call a loopback port of this machine. */
function isOnThisMachine(server: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(server).hostname)
}
