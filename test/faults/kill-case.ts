/** One disclosure session on a server that is killed and restarted. The requested attributes were signed with a key of 4096 bits. @module */
import * as assert from 'uvu/assert'
import { PROFILES, type ProfileName } from '../../protocol/profiles.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { createSession, type DrivenSession } from './driven-session.ts'
import { type KillFacts, SLOW_CARD } from './kill-facts.ts'
import { killableServer, type StoredSession } from './killable-server.ts'

export type KillCase = {
  /** @param extended members of the extended session request */
  create(extended?: { readonly timeout: number }): Promise<DrivenSession>
  killAndRestart(): Promise<void>
  end(): Promise<void>
}

export async function killCase(facts: KillFacts, profileName: ProfileName): Promise<KillCase> {
  const server = await killableServer({ ...facts, profile: profileName })
  const rowOf = async (clientToken: string): Promise<StoredSession> => {
    const row = (await server.sessions()).find(({ id }) => id === hashOfToken(clientToken))
    assert.ok(row, 'the session has a row')
    return row
  }
  const profile = PROFILES[profileName]
  const { wallet } = facts
  return {
    create: extended =>
      createSession({ server: server.url, profile, wallet, attribute: `${SLOW_CARD}.name`, rowOf }, extended),
    killAndRestart: async () => void (await server.killAndRestart()),
    end: server.end,
  }
}
