/** `svc wallet register | unlock | change-pin`: the accounts of a wallet at keyshare servers (spec/interface#4.5, #5.4). @module */

import type { ActionOutcome } from '../../libraries/wallet/failure.ts'
import { changePin } from '../../libraries/wallet/keyshare/change-pin.ts'
import { register } from '../../libraries/wallet/keyshare/register.ts'
import { unlock } from '../../libraries/wallet/keyshare/unlock.ts'
import type { SessionDeps } from '../../libraries/wallet/session.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { parseSchemeId, type SchemeId } from '../../protocol/ids.ts'
import { idOf } from '../request/identifier.ts'
import { failureWords } from './failure-words.ts'
import type { ChangePinFlags, PinFlags, RegisterFlags, WalletFlags } from './flags.ts'
import { print, withWallet } from './folder.ts'
import { newPin, pinOf, readPin } from './pin.ts'
import { createTerminal, type Terminal } from './questions.ts'

/** @param scheme undefined: the only one with a keyshare server */
export async function registerWallet(scheme: string | undefined, flags: RegisterFlags): Promise<void> {
  const { email = '', language = 'en' } = flags
  await withTerminal(flags, async (deps, terminal) => {
    const id = schemeWithServer(deps, scheme)
    const pin = await newPin('--pin-file', flags.pinFile, terminal)
    const ending = await register(deps, id, { pin, email, language })
    report(ending, `Registered at the keyshare server of ${id}.`)
    if (ending.status === 'success' && email !== '')
      print('If this server sends mail, a link that confirms your address is on its way.')
  })
}

/** @param scheme as above */
export async function unlockWallet(scheme: string | undefined, flags: PinFlags): Promise<void> {
  await withTerminal(flags, async (deps, terminal) => {
    const id = schemeWithServer(deps, scheme)
    report(await unlock(deps, id, pinOf(flags.pinFile, terminal)), 'The PIN is right.')
  })
}

export async function changeWalletPin(flags: ChangePinFlags): Promise<void> {
  await withTerminal(flags, async (deps, terminal) => {
    const oldPin = flags.pinFile
      ? readPin('--pin-file', flags.pinFile)
      : await terminal.askSecret('PIN until now: ')
    const change = { oldPin, newPin: await newPin('--new-pin-file', flags.newPinFile, terminal) }
    report(await changePin(deps, change), 'The PIN is changed.')
  })
}

async function withTerminal(
  flags: WalletFlags,
  use: (deps: SessionDeps & { readonly signal: AbortSignal }, terminal: Terminal) => Promise<void>,
): Promise<void> {
  const left = new AbortController()
  process.once('SIGINT', () => left.abort())
  const terminal = createTerminal()
  await withWallet(flags, (wallet, { clock, randomBytes }) =>
    use({ wallet, clock, randomBytes, fetch: systemFetch, signal: left.signal }, terminal),
  ).finally(() => terminal.close())
}

function schemeWithServer({ wallet: { schemes } }: SessionDeps, named: string | undefined): SchemeId {
  if (named !== undefined) return idOf('SCHEME', named, parseSchemeId)
  const all = [...schemes.schemes.values()].filter(({ keyshareServer }) => keyshareServer !== '')
  const [scheme] = all
  if (scheme === undefined)
    throw new Error('SCHEME: expected a scheme with a keyshare server in the schemes folder, got none')
  if (all.length === 1) return scheme.id
  const names = all.map(({ id }) => id).join(', ')
  throw new Error(
    `SCHEME: expected one of ${names}, because several schemes have a keyshare server, got none`,
  )
}

function report(ending: ActionOutcome, success: string): void {
  if (ending.status === 'failed') throw new Error(failureWords(ending))
  print(ending.status === 'success' ? success : 'Nothing was changed.')
}
