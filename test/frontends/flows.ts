/** The flows of a user, a site and a phone, written once for all packages. @module */
import * as assert from 'uvu/assert'
import type { Result } from './back-end.ts'
import type { Scan } from './phone.ts'
import type { Transport } from './session-server.ts'

export const VALUE = 'hello'
const NOTE = 'svc-demo.fast.note.text'
const CONTEXT = 'https://irma.app/ld/request/disclosure/v2'
const TIMEOUT_SEC = 4

/** A request for any value, which needs no pairing. */
export const ASK = { '@context': CONTEXT, disclose: [[[NOTE]]] }
/** A request for a given value: the server asks frontends to pair. */
const ASK_VALUE = { '@context': CONTEXT, disclose: [[[{ type: NOTE, value: VALUE }]]] }

const CITY = 'Utrecht'
const ASK_CITY = { '@context': CONTEXT, disclose: [[['svc-demo.gov.address.city']]] }

export type Screen = 'connected' | 'pairing' | 'wrong code' | 'success' | 'cancelled' | 'timed out'

/** One visitor: a package on its page, or in its terminal. */
export type Frontend = {
  /** Starts a session for the next request. */
  begin(): Promise<void>
  /** Waits for the QR code, and until the page follows its session. @returns the text of the code */
  code(): Promise<string>
  /** The same for the link to the wallet app on a phone. */
  link(): Promise<string>
  shows(screen: Screen): Promise<void>
  type(pairingCode: string): Promise<void>
  /** Leaves by the way that the package offers while the code is shown, and later. */
  leave(): Promise<void>
  cancel(): Promise<void>
  tryAgain(): Promise<void>
  codeInsteadOfLink(): Promise<void>
  /** the result that the page got */
  result(): Promise<Result>
  /** the status of the last session for the requestor */
  statusForRequestor(): Promise<string>
  resultForRequestor(token: string): Promise<Result>
}

type Play = { readonly front: Frontend; readonly scan: (text: string) => Scan }

type Visit = {
  /** the requests of its sessions, in this order */
  readonly requests: readonly object[]
  /** the next session, which the first one names */
  readonly next?: object
  /** the device of the page; by default one without a wallet app */
  readonly device?: 'android' | 'ios'
  /** the page calls the server itself, without a back end of the site */
  readonly isDirect?: true
  /** the only transport of the flow; by default each */
  readonly transport?: Transport
  readonly play: (play: Play) => Promise<void>
}

export type FlowName = keyof typeof FLOWS

function assertShared({ status, proofStatus, disclosed }: Result): void {
  assert.equal([status, proofStatus], ['DONE', 'VALID'])
  assert.equal(disclosed?.[0]?.[0]?.rawvalue, VALUE)
}

async function finish({ front }: Play, phone: Scan): Promise<Result> {
  phone.agree()
  await front.shows('success')
  assert.is((await phone.outcome).status, 'success')
  const result = await front.result()
  assertShared(result)
  return result
}

async function share(play: Play, text: string): Promise<void> {
  const phone = play.scan(text)
  await phone.asked()
  await play.front.shows('connected')
  await finish(play, phone)
}

async function pair({ front, scan }: Play, text: string): Promise<Scan> {
  const phone = scan(text)
  const code = await phone.pairingCode()
  await front.shows('pairing')
  await front.type(code === '0000' ? '1111' : '0000')
  await front.shows('wrong code')
  assert.is(await front.statusForRequestor(), 'PAIRING')
  await front.type(code)
  await front.shows('connected')
  await phone.asked()
  return phone
}

async function assertOver({ front }: Play, status: string, phone?: Scan): Promise<void> {
  assert.is(await front.statusForRequestor(), status)
  if (!phone) return
  phone.agree()
  assert.is((await phone.outcome).status, 'failed')
}

async function timeOut(play: Play): Promise<void> {
  await play.front.shows('timed out')
  await assertOver(play, 'TIMEOUT')
}

const ofOne = (request: object, play: Visit['play']): Visit => ({ requests: [request], play })

export const FLOWS = {
  'a code is scanned': ofOne(ASK, async play => share(play, await play.front.code())),
  'without a back end': {
    ...ofOne(ASK, async play => share(play, await play.front.code())),
    isDirect: true,
    transport: 'stream',
  },
  'pairing, with a wrong code first': ofOne(ASK_VALUE, async play => {
    await finish(play, await pair(play, await play.front.code()))
  }),
  'the user refuses in the app': ofOne(ASK, async play => {
    const phone = play.scan(await play.front.code())
    await phone.asked()
    phone.refuse()
    await play.front.shows('cancelled')
    await assertOver(play, 'CANCELLED')
  }),
  'the page is left before the code is scanned': ofOne(ASK, async play => {
    const code = await play.front.code()
    await play.front.leave()
    await assertOver(play, 'CANCELLED')
    assert.is((await play.scan(code).outcome).status, 'failed')
  }),
  'the user cancels on the page': ofOne(ASK, async play => {
    const phone = play.scan(await play.front.code())
    await phone.asked()
    await play.front.shows('connected')
    await play.front.cancel()
    await play.front.shows('cancelled')
    await assertOver(play, 'CANCELLED', phone)
  }),
  'nobody scans': ofOne({ timeout: TIMEOUT_SEC, request: ASK }, timeOut),
  'tried again after a time-out': {
    requests: [{ timeout: TIMEOUT_SEC, request: ASK }, ASK],
    play: async play => {
      await timeOut(play)
      await play.front.tryAgain()
      await share(play, await play.front.code())
    },
  },
  'a chain of two': {
    requests: [ASK],
    next: ASK_CITY,
    play: async play => {
      const phone = await pair(play, await play.front.code()) // the server asks pages of a chain to pair
      phone.agree()
      await phone.asked()
      const { nextSession = '' } = await finish(play, phone)
      const { status, disclosed } = await play.front.resultForRequestor(nextSession)
      assert.equal([status, disclosed?.[0]?.[0]?.rawvalue], ['DONE', CITY])
    },
  },
  'a link on Android': {
    ...ofOne(ASK_VALUE, async play => share(play, await play.front.link())), // without pairing
    device: 'android',
    transport: 'stream',
  },
  'a link on iOS': {
    ...ofOne(ASK_VALUE, async play => share(play, await play.front.link())),
    device: 'ios',
    transport: 'polling',
  },
  'a code instead of a link': {
    ...ofOne(ASK_VALUE, async play => {
      await play.front.link()
      await play.front.codeInsteadOfLink()
      await finish(play, await pair(play, await play.front.code()))
    }),
    device: 'android',
    transport: 'stream',
  },
} satisfies Record<string, Visit>

export function visitOf(flow: FlowName): Visit {
  return FLOWS[flow]
}
