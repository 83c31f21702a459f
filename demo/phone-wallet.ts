/** The wallet on the phone: made anew at each start, filled with the cards of the tour, gone at the end. @module */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseArithmetic } from '../crypto/bignum/choose.ts'
import type { Schemes } from '../schemes/types.ts'
import type { SessionDeps } from '../wallet/session.ts'
import { createWallet } from '../wallet/wallet.ts'
import { PHONE_CREDENTIALS } from './credentials.ts'
import { obtainCredentials } from './obtain-credentials.ts'
import type { DemoOptions, OnEnd } from './options.ts'

/** In developer mode, because the session server of the demo speaks plain HTTP.
 *  @throws {Error} if the demo scheme or its private keys are not among the schemes */
export async function openPhone(
  { dataDir = tmpdir(), arithmetic = 'auto', clock, random, log }: DemoOptions,
  schemes: Schemes,
  onEnd: OnEnd,
): Promise<SessionDeps> {
  const folder = await mkdtemp(join(dataDir, 'svc-demo-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  const deps = { schemes, arithmetic: chooseArithmetic(arithmetic), clock, randomBytes: random.bytes }
  const wallet = await createWallet(join(folder, 'wallet'), { developerMode: true }, deps)
  onEnd(() => wallet.close())
  await obtainCredentials(wallet, PHONE_CREDENTIALS, { schemes, clock, random, log, arithmetic })
  return { wallet, fetch, clock, randomBytes: random.bytes }
}
