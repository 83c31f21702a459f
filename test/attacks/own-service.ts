/** A server of this project with settings of the attack, as its requestor, its frontend and its wallet app use it. @module */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ConformanceFlags } from '../../cli/conformance/flags.ts'
import { withTarget } from '../../cli/conformance/run.ts'
import { initWallet } from '../../cli/wallet/folder.ts'
import { createService, type Service } from '../../libraries/conformance/service.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { OwnServers } from './own-servers.ts'

/** A new wallet with the demo credentials, which is deleted afterwards. */
export async function withDemoWallet<Result>(use: (dir: string) => Promise<Result>): Promise<Result> {
  const dir = join(temporaryFolder(), 'wallet')
  await initWallet({ schemesPath: DEMO_SCHEMES, dir, demo: true }, () => {})
  return use(dir).finally(() => rmSync(dir, { recursive: true, force: true }))
}

type Use = (service: Service) => Promise<string | null>

/** Starts a server, and uses it with a demo wallet. */
export async function withService(
  { start }: OwnServers,
  settings: Readonly<Record<string, unknown>>,
  use: Use,
): Promise<string | null> {
  const { url } = await start('server', settings)
  return serviceAt(url, use)
}

type Auth = Pick<ConformanceFlags, 'authMethod' | 'name' | 'key'>

/** Uses a server that runs with the demo schemes, with a demo wallet. */
export async function serviceAt(
  server: string,
  use: Use,
  auth: Auth = { authMethod: 'none' },
): Promise<string | null> {
  let gained: string | null = null
  await withDemoWallet(wallet =>
    withTarget(
      { server, wallet, schemesPath: DEMO_SCHEMES, profile: 'svc', row: [], ...auth },
      async target => {
        gained = await use(createService(target))
      },
    ),
  )
  return gained
}
