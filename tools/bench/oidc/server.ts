/** The measured process of the sign-in benchmark: an OpenID provider as `svc oidc` runs it, except that its challenge is fixed. Its parent requests its CPU time.
 *  @module */
import { systemRandomness } from '../../../ports/randomness.ts'
import { createLog } from '../../../server/log/log.ts'
import { startOidcServer } from '../../../server/oidc/start.ts'
import { oidcServer } from '../../../server/settings/oidc-server.ts'
import { systemWorld } from '../../../server/world.ts'
import { answerParent, type CpuTask } from '../measured-process.ts'

/** `start` is the first task. */
export type OidcTask =
  /** Answered with 0. */
  | { readonly ask: 'start'; readonly options: Readonly<Record<string, unknown>>; readonly nonce: bigint }
  | CpuTask

answerParent<OidcTask>(async ({ options: values, nonce }) => {
  const { options } = oidcServer.resolve({ flags: {}, variables: {}, file: { name: 'benchmark', values } })
  const world = systemWorld(createLog(options))
  await startOidcServer({ options }, { ...world, random: { ...systemRandomness, nonce: () => nonce } })
  return 0
})
