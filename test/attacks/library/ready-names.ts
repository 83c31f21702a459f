/** A stranger asks whether a node is ready, and reads which issuers of its operator have let their keys expire. @module */
import type { Attack } from '../attack.ts'

/** The demo schemes have an issuer with an expired key. */
const NAME = /svc-[\w-]+(?:\.[\w-]+)?/

export const attack: Attack = {
  name: 'ready-names',
  gains: 'the name of an issuer or a scheme that has a problem, from the address for load balancers',
  cites: 'spec/decisions#readiness',
  on: 'own servers',
  async run({ start }) {
    for (const kind of ['server', 'keyshare'] as const) {
      const { url } = await start(kind)
      const text = await (await fetch(`${url}/health/ready`)).text()
      const [name] = NAME.exec(text) ?? []
      if (name !== undefined) return `${kind}: ${name}`
    }
    return null
  },
}
