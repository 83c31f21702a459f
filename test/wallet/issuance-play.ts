/** Helpers for suites about issuance: offers, servers that make them, and wallets that answer. @module */
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { newWallet } from './demo-wallets.ts'
import { type Answer, json, text } from './fake-server.ts'
import { issuing, type Requested } from './issuer.ts'
import { agreeToAll, connection, irma, type Played, type PlayOptions, play, requestOf } from './play.ts'
import { NOW_SEC, WEEK_SEC } from './support.ts'

export const NONCE = 0xce6c90d890ee907_03e780d338baf4d3en
export const EXPIRES = NOW_SEC + 10 * WEEK_SEC

export const NOTE: Requested = {
  credential: 'svc-demo.fast.note',
  attributes: { text: 'issued' },
  validity: EXPIRES,
}
export const BALLOT: Requested = {
  credential: 'svc-demo.uni.ballot',
  attributes: { election: 'Council', url: 'https://vote.example.test/' },
  validity: EXPIRES,
  keyCounter: 1,
  randomblindIDs: ['url'],
}
export const LOT: Requested = {
  credential: 'svc-demo.fast.lot',
  attributes: { draw: 'Spring' },
  validity: EXPIRES,
}
export const REGISTRATION: Requested = {
  credential: 'svc-demo.gov.registration',
  attributes: { number: '7', over18: 'yes' },
  validity: EXPIRES,
}

/** A server that offers these, and issues them unless `answer` is given. */
export function offering(
  credentials: readonly Requested[],
  answer: Answer | readonly Answer[] = issuing(credentials),
  more: object = {},
): Readonly<Record<string, Answer | readonly Answer[]>> {
  const request = requestOf(irma, { disclose: undefined, credentials, ...more }, 'issuance')
  return {
    'GET /': json(connection(irma, { request })),
    'POST /commitments': answer,
    'DELETE /': text(''),
  }
}

export function playIssuing(
  answers: ReturnType<typeof offering>,
  options: PlayOptions & { readonly wallet: Wallet },
): Promise<Played> {
  return play(answers, { handlers: agreeToAll, type: 'issuing', ...options })
}

export async function withWallet(test: (wallet: Wallet) => Promise<void>): Promise<void> {
  const wallet = await newWallet([])
  await test(wallet).finally(() => wallet.close())
}

export const held = (wallet: Wallet): string[] =>
  wallet.credentials().map(({ type, attributes }) => `${type} ${attributes.map(({ value }) => value).join()}`)
