/** A holder removes the keyshare server from a credential while it is issued, so that PIN, block and deletion of the account no longer matter. He tries every
 *  version of the keyshare protocol. Either server alone refuses the first one. @module */
import type { Attack } from '../attack.ts'
import { removeKeyshare, type Target, WAYS } from '../keyshare-removal.ts'

const CONTEXTS = { issuing: 'issuance', disclosing: 'disclosure' }

export const attack: Attack = {
  name: 'keyshare-removed',
  gains: 'a credential whose disclosure needs no keyshare server, although its scheme has one',
  cites: 'spec/decisions#keyshare_v1',
  on: 'own servers',
  async run({ start }) {
    const gained: string[] = []
    for (const [keyshareRule, sessionRule] of [
      ['allow', 'refuse'],
      ['refuse', 'allow'],
    ]) {
      const keyshare = await start('keyshare', { keyshare_v1: keyshareRule })
      const server = await start('server', { keyshare_v1: sessionRule })
      for (const [name, way] of Object.entries(WAYS)) {
        const reason = await removeKeyshare(way, { keyshare: keyshare.url, create: creatorAt(server.url) })
        if (reason === null) gained.push(`${name} (keyshare server: ${keyshareRule}, issuer: ${sessionRule})`)
      }
    }
    return gained.length === 0 ? null : gained.join('; ')
  },
}

function creatorAt(server: string): Target['create'] {
  return async (type, body) => {
    const request = { '@context': `https://svc.example/ld/request/${CONTEXTS[type]}/v2`, ...body }
    const headers = { 'Content-Type': 'application/json' }
    const created = await fetch(`${server}/session`, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
    })
    const { sessionPtr, token } = Object(await created.json())
    return {
      pointer: JSON.stringify(sessionPtr),
      status: async () => Object(await (await fetch(`${server}/session/${token}/result`)).json()).proofStatus,
    }
  }
}
