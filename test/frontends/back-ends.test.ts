/** The packages of back ends, unmodified, with this server: `irma-backend` and `irma-jwt`, and `irmajs` in Node. @module */
import { createRequire } from 'node:module'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { type Backend, backendOf, type Package } from './back-end.ts'
import { connectedTo } from './connections.ts'
import { ASK, type FlowName, VALUE, visitOf } from './flows.ts'
import { startPhone } from './phone.ts'
import {
  atDoor,
  type Door,
  HMAC_KEY,
  openDoor,
  PRIVATE_KEY,
  startSessionServer,
  TOKEN,
  type Transport,
} from './session-server.ts'
import { inTerminal } from './terminal-frontend.ts'

/** The used part of `irma-jwt`, which has no types. */
type Jwt = {
  signSessionRequest(request: object): string
  verify(jwt: string): Readonly<Record<string, unknown>>
}
const IrmaJwt: new (method: string, options: object) => Jwt = createRequire(import.meta.url)(
  '@privacybydesign/irma-jwt',
)

const server = await startSessionServer()
const doors = {
  stream: await openDoor(server.url, 'stream'),
  polling: await openDoor(server.url, 'polling'),
}
const TRANSPORTS: readonly Transport[] = ['stream', 'polling']
const phone = await startPhone()

type Method = {
  readonly name: string
  readonly options: object
  readonly sign: (request: object) => object | string
}
const METHODS: readonly Method[] = [
  { name: 'token', options: { serverToken: TOKEN }, sign: request => request },
  signing('hmac', 'hmacs', HMAC_KEY.toString()),
  signing('publickey', 'keys', PRIVATE_KEY),
]

function signing(name: string, iss: string, secretKey: string): Method {
  const jwt = new IrmaJwt(name, { secretKey, iss })
  return { name, options: {}, sign: request => jwt.signSessionRequest(request) }
}

const context = (type: string): string => `https://irma.app/ld/request/${type}/v2`
const ISSUE = {
  '@context': context('issuance'),
  credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: VALUE, extra: 'more' } }],
}
const SIGN = { ...ASK, '@context': context('signature'), message: 'I agree.' }

/** Follows a session while the phone answers it. */
async function follow(backend: Backend, door: Door, { sessionPtr, token }: Package): Promise<string[]> {
  const statuses: string[] = []
  const done = new Promise<void>((resolve, reject) => {
    backend.subscribeStatusEvents(token, (error, status) => {
      if (error) return reject(error)
      statuses.push(String(status))
      if (status === 'DONE') resolve()
    })
  })
  await door.until(
    `${door.url}/session/${token}`,
    ({ path, status }) => status === 200 && /\/status(events)?$/.test(path),
  )
  const scan = phone.scan(JSON.stringify(sessionPtr))
  await scan.asked()
  scan.agree()
  assert.is((await scan.outcome).status, 'success')
  await done
  return statuses
}

const BackEnds = suite('existing back ends: irma-backend and irma-jwt')

for (const { name, options, sign } of METHODS)
  for (const transport of TRANSPORTS)
    BackEnds(
      `${name}: a session is started, followed and its signed result verified: ${transport}`,
      async () => {
        const door = doors[transport]
        const backend = backendOf(door.url, options)
        const started = await backend.startSession(sign(ASK))
        const statuses = await follow(backend, door, started)
        assert.is(statuses.at(-1), 'DONE')
        if (transport === 'stream') assert.equal(statuses, ['CONNECTED', 'DONE'])
        const streams = door.answered(`${door.url}/session/${started.token}/statusevents`)
        assert.equal(
          streams.map(({ status }) => status),
          [transport === 'stream' ? 200 : 500],
        )
        const result = await backend.getSessionResult(started.token)
        assert.equal([result.status, result.proofStatus], ['DONE', 'VALID'])
        assert.is(result.disclosed?.[0]?.[0]?.rawvalue, VALUE)
        const publicKey = await backend.getServerPublicKey()
        const jwt = await backend.getSessionResultJwt(started.token)
        const { iat, exp, iss, sub, ...claims } = new IrmaJwt('publickey', { publicKey }).verify(jwt)
        assert.equal([iss, sub, Number(exp) - Number(iat)], ['tests', 'disclosing_result', 120])
        assert.equal(claims, result)
      },
    )

for (const { name, options, sign } of METHODS)
  BackEnds(
    `${name}: requests of each type, extended ones too, are accepted and can be cancelled`,
    async () => {
      const backend = backendOf(server.url, options)
      for (const request of [ASK, SIGN, ISSUE, { validity: 60, request: ASK }]) {
        const { token } = await backend.startSession(sign(request))
        assert.is(await backend.getSessionStatus(token), 'INITIALIZED')
        await backend.cancelSession(token)
        assert.is(await backend.getSessionStatus(token), 'CANCELLED')
        assert.is((await backend.getSessionResult(token)).status, 'CANCELLED')
      }
    },
  )

BackEnds('a card is issued', async () => {
  const backend = backendOf(doors.stream.url)
  const started = await backend.startSession({ ...ISSUE, host: doors.stream.host })
  assert.equal(await follow(backend, doors.stream, started), ['CONNECTED', 'DONE'])
  assert.is((await backend.getSessionResult(started.token)).proofStatus, 'VALID')
})

BackEnds('a subscriber after the end of a session gets its final status', async () => {
  const backend = backendOf(server.url)
  const { token } = await backend.startSession(ASK)
  await backend.cancelSession(token)
  const status = await new Promise(resolve =>
    backend.subscribeStatusEvents(token, (_, told) => resolve(told)),
  )
  assert.is(status, 'CANCELLED')
})

BackEnds('a refusal of the server is thrown as an error by the package', async () => {
  const [, hmac] = METHODS
  const stranger = signing('hmac', 'nobody', HMAC_KEY.toString())
  for (const [options, request] of [
    [{ serverToken: 'wrong' }, ASK],
    [{}, ASK],
    [{}, stranger.sign(ASK)],
    [{}, `${hmac?.sign(ASK)}x`],
  ] as const)
    try {
      await backendOf(server.url, options).startSession(request)
      assert.unreachable()
    } catch (error) {
      assert.match(String(error), /^Error while communicating with irma server: .* Status: 40[03] /)
    }
})

BackEnds.run()

const Terminal = suite('existing back ends: irmajs in Node')
const FLOWS_OF_TERMINAL: readonly FlowName[] = [
  'a code is scanned',
  'the user refuses in the app',
  'nobody scans',
]

function play(flow: FlowName, transport: Transport, authentication: readonly string[]): Promise<void> {
  const { requests, play: steps } = visitOf(flow)
  const request = atDoor(requests[0] ?? {}, doors[transport])
  const { scan } = phone
  return inTerminal(doors[transport], backendOf(server.url), request, authentication, front =>
    steps({ front, scan }),
  )
}

for (const flow of FLOWS_OF_TERMINAL)
  for (const transport of TRANSPORTS)
    Terminal(`irmajs: ${flow}: ${transport}`, () => play(flow, transport, ['token', TOKEN]))

for (const authentication of [
  ['hmac', HMAC_KEY.toString(), 'hmacs'],
  ['publickey', PRIVATE_KEY, 'keys'],
])
  Terminal(`irmajs: it signs requests itself: ${authentication[0]}`, () =>
    play('a code is scanned', 'stream', authentication),
  )

Terminal('no package called another host', () => {
  assert.equal(connectedTo(), ['127.0.0.1'])
})

Terminal.after(async () => {
  await Promise.all([phone.close(), doors.stream.close(), doors.polling.close()])
  await server.close()
})
Terminal.run()
