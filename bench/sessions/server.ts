/** The measured process of the benchmark of sessions: a session server as `svc server` makes it, but for its challenge, which never changes. Its
 *  parent asks for its CPU time, and for the cost of the proof check alone, in the same process at the same moment. @module */
import { createLog } from '../../cli/log.ts'
import * as systemRandomness from '../../cli/randomness.ts'
import { startServer } from '../../cli/server/start.ts'
import { resolveOptions } from '../../cli/settings/resolve.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import { parseDisclosureMessage } from '../../protocol/disclosure-message.ts'
import { type CredentialTypeId, issuerOf } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'

export type Start = {
  readonly options: Readonly<Record<string, unknown>> & { readonly schemes_path: string }
  readonly type: CredentialTypeId
  readonly keyCounter: number
  readonly nonce: bigint
  /** bodies of proofs POSTs that answer the nonce with one credential of the type */
  readonly bodies: readonly string[]
}

/** `start` comes first; it is answered with 0, the others with CPU milliseconds of all threads, user and system. */
export type Task =
  | { readonly ask: 'start'; readonly start: Start }
  /** of this process until now */
  | { readonly ask: 'cpu' }
  /** of checking each message once, on this thread, without anything around it */
  | { readonly ask: 'check' }

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let messages: readonly ProofList[] = []

async function start({ options: values, nonce, ...facts }: Start): Promise<void> {
  const { options } = resolveOptions({ flags: {}, variables: {}, file: { name: 'benchmark', values } })
  const random = { ...systemRandomness, nonce: () => nonce }
  await startServer(options, createLog(options), random)
  const schemes = await loadSchemes(options.schemes_path)
  const key = schemes.publicKey(issuerOf(facts.type), facts.keyCounter)
  const attributeCount = schemes.credentialType(facts.type)?.attributes.length
  if (!key || attributeCount === undefined) throw new Error('benchmark: expected the key of the credentials')
  messages = facts.bodies.map(body => ({
    disclosures: parseDisclosureMessage(body).proofs.map(proof => ({
      proof,
      key,
      group: '.',
      attributeCount,
    })),
    commitments: [],
    context: 1n,
    nonce,
    isSignature: false,
  }))
}

function check(): number {
  const arithmetic = chooseArithmetic('auto')
  const before = cpuMs()
  for (const message of messages)
    if (!verifyProofs(arithmetic, message)) throw new Error('benchmark: expected valid proofs')
  return cpuMs() - before
}

process.on('message', async (task: Task) => {
  if (task.ask === 'start') await start(task.start)
  process.send?.(task.ask === 'check' ? check() : task.ask === 'cpu' ? cpuMs() : 0)
})
process.on('disconnect', () => process.exit())
