/** Runs the effect `askNext` for its tests, and records its calls and the random values that it takes. @module */
import { type AskNextDeps, askNext } from '../../actors/effects/ask-next.ts'
import type { EffectSettings } from '../../actors/effects/create-effects.ts'
import type { EffectOutcome } from '../../actors/effects/effects.ts'
import { cancellable } from '../../actors/effects/outcomes.ts'
import type { OutgoingAnswer, OutgoingMessage } from '../../ports/outgoing.ts'
import { createTraces } from '../../ports/traces.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { clock, schemes, settingsWith } from './claimed-sessions.ts'
import { NO_REVOCATION } from './no-revocation.ts'

export type NextSessionCall = { readonly url: string; readonly message: OutgoingMessage }

/** Performs the effect with test doubles in place of the network, the randomness and the schemes.
 *  @param answer of the requestor; an error: the call fails with it */
export async function askNextSession(
  row: SessionRow,
  answer: OutgoingAnswer | Error,
  changes: Partial<EffectSettings> = {},
  requireRoom: AskNextDeps['owedBound']['requireRoom'] = async () => {},
): Promise<{
  readonly outcome: EffectOutcome
  readonly asked: readonly NextSessionCall[]
  readonly drawn: readonly string[]
}> {
  const asked: NextSessionCall[] = []
  const drawn: string[] = []
  const draw = <T>(name: string, value: T): T => {
    drawn.push(name)
    return value
  }
  const outgoing = {
    async post(url: string, message: OutgoingMessage) {
      asked.push({ url, message })
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const random = {
    token: () => draw('token', `token${drawn.length}`.padEnd(20, 'x')),
    nonce: () => draw('nonce', 7n),
    pairingCode: () => draw('pairing code', '0000'),
    bytes: (count: number) => draw('bytes', new Uint8Array(count)),
  }
  const settings = settingsWith(changes)
  const effect = cancellable(
    settings,
    askNext({
      schemes,
      clock,
      outgoing,
      random,
      settings,
      traces: createTraces(),
      revocation: NO_REVOCATION,
      owedBound: { requireRoom },
      lookForSchemes: async () => void drawn.push('newer schemes'),
      noteUnknownMembers: () => {},
    }),
  )
  return { outcome: await effect(row, new AbortController().signal), asked, drawn }
}

export function asking(request: object): OutgoingAnswer {
  return { status: 200, text: JSON.stringify(request) }
}
