/** Calls name types and issuer keys that no scheme has, while a scheme is slow to read: its server does not answer, or its folder is large. @module */
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { callAt, headersOf, login, PIN, registered } from '../../faults/keyshare/app.ts'
import { DEMO_SCHEMES } from '../../project.ts'
import { schemeSite } from '../../schemes/scheme-site.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { Attack } from '../attack.ts'
import type { OwnServers } from '../own-servers.ts'

/** A held call ends after 1 s. */
const TOO_LONG_MS = 2_000
const CALLS = 4
/** It takes several seconds to read so many. */
const SCHEMES = 400

export const attack: Attack = {
  name: 'unknown-keys',
  gains: 'calls that are held for seconds, or more than one reading of the schemes, by invented names',
  cites: 'spec/decisions#lookups-of-unknown-names',
  isTimed: true,
  on: 'own servers',
  async run(own) {
    return (await atSessionServer(own)) ?? (await atKeyshareServer(own))
  },
}

/** The server of the scheme accepts calls, and never answers. */
async function atSessionServer({ start }: OwnServers): Promise<string | null> {
  const site = await schemeSite()
  try {
    site.play(() => true)
    const server = await start('server', { schemes_path: site.install(), schemes_update: 60 })
    const gained = await held(async name => {
      const request = {
        '@context': 'https://svc.example/ld/request/disclosure/v2',
        disclose: [[[`svc-demo.uni.student.${name}`]]],
      }
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(`${server.url}/session`, {
        method: 'POST',
        headers,
        body: JSON.stringify(request),
      })
      return answer.status
    }, 400)
    if (site.asked.length > 1) return `${CALLS} invented names caused ${site.asked.length} readings`
    return gained
  } finally {
    await site.close()
  }
}

/** The folder of the schemes has become large. */
async function atKeyshareServer({ start }: OwnServers): Promise<string | null> {
  const schemes = join(temporaryFolder(), 'schemes')
  cpSync(DEMO_SCHEMES, schemes, { recursive: true })
  const { url } = await start('keyshare', { schemes_path: schemes, schemes_update: 0, profile: 'irma' })
  const app = await registered({ urls: [url] }, false)
  const { message } = await login({ urls: [url] }, app, PIN)
  for (let i = 0; i < SCHEMES; i++) symlinkSync(join(schemes, 'svc-demo'), join(schemes, `copy-${i}`))
  return held(async name => {
    const body = [`svc-demo.${name}-0`]
    const answer = await callAt(url, '/prove/getCommitments', { headers: headersOf(app, message), body })
    return answer.status
  }, 400)
}

/** @param call with an invented name; returns the status of its answer
 *  @param refused the specified status
 *  @returns null if one of several simultaneous calls was refused in time. One call is enough, because a pause of this computer delays the others */
async function held(call: (name: string) => Promise<number>, refused: number): Promise<string | null> {
  const times = await Promise.all(
    Array.from({ length: CALLS }, async (_, i) => {
      const beganAt = performance.now()
      return (await call(`invented${i}`)) === refused ? performance.now() - beganAt : Number.POSITIVE_INFINITY
    }),
  )
  const heldMs = Math.min(...times)
  return heldMs < TOO_LONG_MS
    ? null
    : `${CALLS} calls were held for ${Math.round(heldMs)} ms, or got another answer`
}
