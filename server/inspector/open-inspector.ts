/** Opens the inspector of a process where its option is on: the events of the gates, and the listener that shows them. @module */
import { isIPv6 } from 'node:net'
import type { Inspection } from '../../actors/inspection/inspection.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import type { OnClose } from '../closable.ts'
import { listenAt } from '../listen.ts'
import type { World } from '../world.ts'

export type InspectorSettings = {
  readonly inspect: boolean
  readonly inspectPort: number
  readonly inspectListenAddr: string
}

export type Inspector = {
  readonly inspection: Inspection
  /** address of its page. The token that opens the page is behind the `#`, so the address is secret and is printed to the terminal only */
  readonly address: string
}

type Outside = Pick<World, 'clock' | 'log'>

/** @returns null: the option is off
 *  @throws {SettingsError} about its port or its address */
export function openInspector(
  settings: InspectorSettings,
  world: Outside,
  onClose: OnClose,
): Promise<Inspector | null> {
  return settings.inspect ? startInspector(settings, world, onClose) : Promise.resolve(null)
}

/** @throws {SettingsError} about its port or its address */
export async function startInspector(
  { inspectPort, inspectListenAddr }: Omit<InspectorSettings, 'inspect'>,
  { clock, log }: Outside,
  onClose: OnClose,
): Promise<Inspector> {
  // loaded only if the inspector is on
  const { Inspection } = await import('../../actors/inspection/inspection.ts')
  const { createInspectorServer } = await import('../../http/inspector/server.ts')
  const inspection = new Inspection(error => log.error({ err: error }, 'inspector failed'))
  const token = systemRandomness.token()
  const server = createInspectorServer({ inspection, clock, log, token })
  onClose(() => server.close())
  const { address, port } = await listenAt(server, {
    port: { option: 'inspect_port', value: inspectPort },
    address: { option: 'inspect_listen_addr', value: inspectListenAddr },
  })
  return { inspection, address: `http://${isIPv6(address) ? `[${address}]` : address}:${port}/#${token}` }
}
