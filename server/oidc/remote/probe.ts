/** Tries the session server of the settings, before the first user does: it starts a session that asks for the attributes of all clients, and cancels it. @module */
import { createPublicKey } from 'node:crypto'
import { ServerRefusalError } from '../../../libraries/client/calls.ts'
import { readClaimsParameter } from '../../../sessions/sign-in/asked-claims.ts'
import { requestOf } from '../../../sessions/sign-in/login-request.ts'
import type { SignInRules } from '../../../sessions/sign-in/rules.ts'
import type { OidcNodeSettings } from '../../settings/oidc-settings.ts'
import type { World } from '../../world.ts'
import { requestorAt } from './disclosures.ts'
import { faultOf, inTime } from './faults.ts'
import { type AskedDisclosure, wireRequest } from './wire-request.ts'

export type RemoteMistake = {
  /** one line, without a secret */
  readonly text: string
  /** true: the server has answered, and its answer refuses these settings; false: it may answer later */
  readonly isRefusal: boolean
}

/** @returns null: the session server accepts what logins ask for, or the sessions run inside */
export async function probeRemote(
  { remote, rules, sessions: { profile } }: Pick<OidcNodeSettings, 'remote' | 'rules' | 'sessions'>,
  { fetch, clock }: Pick<World, 'fetch' | 'clock'>,
): Promise<RemoteMistake | null> {
  if (remote === null) return null
  const about = `session_server ${remote.url}`
  const asked = wireRequest(requestOfAll(rules), profile)
  try {
    const key = await inTime({ fetch, clock }, async within => {
      const requestor = requestorAt(remote, within)
      const { token } = await requestor.start(asked)
      await requestor.cancel(token)
      return remote.publicKey === null ? null : requestor.publicKey()
    })
    if (key === null || isSameKey(key, remote.publicKey ?? '')) return null
    const text = `${about}: expected the key of "public_key", got another one: results will be refused`
    return { text, isRefusal: true }
  } catch (error) {
    const isRefusal =
      error instanceof SyntaxError || (error instanceof ServerRefusalError && error.status < 500)
    return { text: `${about}: ${faultOf(error)}`, isRefusal }
  }
}

/** The requests of all clients with all of their scopes, as one request. */
function requestOfAll(rules: SignInRules): AskedDisclosure {
  const claims = readClaimsParameter('')
  const requests = [...rules.clients.values()].flatMap(({ clientId, scopes }) => {
    const asked = requestOf(rules, { clientId, scopes, claims })
    return asked.type === 'request' ? [asked.request] : []
  })
  const items = new Map(
    requests.flatMap(({ disclose }) => disclose.map(item => [JSON.stringify(item), item] as const)),
  )
  const types = new Map(
    requests.flatMap(({ nonRevocation }) => nonRevocation.map(each => [each.credential, each] as const)),
  )
  return { disclose: [...items.values()], nonRevocation: [...types.values()], clientReturnUrl: '' }
}

/** @param received by the session server, which may not be a key */
function isSameKey(received: string, expected: string): boolean {
  try {
    return createPublicKey(received).equals(createPublicKey(expected))
  } catch {
    return false // the text is no key
  }
}
