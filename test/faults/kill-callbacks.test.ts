/** kill -9 while callbacks are delivered to a receiver that fails half the time and is restarted twice. Each callback arrives at least once. All repeats have
 *  the same `Idempotency-Key`. No callback is sent for a session that did not end. For a longer run:
 *  `CALLBACKS=10000 KILLS=50 node dist/test/faults/kill-callbacks.test.js` after a build. @module */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort, type Running, runSvc, startSvc } from '../cli/run-svc.ts'
import { numberGiven } from '../number-given.ts'
import { pause, until } from '../patience.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { callbackReceiver } from './callback-receiver.ts'

const CALLBACKS = numberGiven('CALLBACKS', 300)
const KILLS = numberGiven('KILLS', 5)
/** for this many sessions that end, one more stays open */
const OPEN_ONE_IN = 10
const AT_ONCE = 8

const store = `sqlite:${join(temporaryFolder(), 'sessions.sqlite')}`
const port = await freePort()
const server = `http://127.0.0.1:${port}`
const words = `server --schemes-path ${DEMO_SCHEMES} --store ${store} --port ${port} --listen-addr 127.0.0.1 --callback-backoff 50ms --callback-backoff-max 2s --workers 1`

async function start(): Promise<Running> {
  const running = startSvc(words.split(' '))
  await running.says('svc server running')
  return running
}

/** Repeats the call until a server answers. */
async function call(method: string, path: string, body?: object): Promise<string> {
  for (;;)
    try {
      const init = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
      const response = await fetch(`${server}${path}`, { method, ...init })
      const text = await response.text()
      if (response.status !== 503) return text
    } catch {
      await pause(50) // the server is restarting
    }
}

async function create(callbackUrl: string): Promise<string> {
  const disclose = [[['svc-demo.gov.idcard.over18']]]
  const request = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose }
  // sessions that are not ended here stay open longer than the test may run
  return JSON.parse(await call('POST', '/session', { callbackUrl, timeout: 86_400, request })).token
}

const receiver = await callbackReceiver()
const ended = new Set<string>()
const logs: string[] = []
let running = await start()
let left = CALLBACKS

async function kill(): Promise<void> {
  running.process.kill('SIGKILL')
  logs.push((await running.finished).stderr)
}

async function endSessions(): Promise<void> {
  while (left-- > 0) {
    if (left % OPEN_ONE_IN === 0) await create(receiver.url)
    const token = await create(receiver.url)
    ended.add(token)
    await call('DELETE', `/session/${token}`)
  }
}

function accepted(): number {
  return [...receiver.received.values()].filter(one => one.isAccepted).length
}

async function killNowAndThen(): Promise<void> {
  for (let number = 1; number <= KILLS; number++) {
    const enough = Math.min(accepted() + CALLBACKS / (KILLS + 1) / 2, CALLBACKS)
    await until(() => accepted() >= enough, `${enough} callbacks`)
    await pause(randomInt(50))
    await kill()
    running = await start()
    if (number === 2 || number === KILLS - 1) await receiver.restart()
  }
}

const Kill = suite('kill -9 of the server while callbacks are delivered')
Kill.after(async () => {
  await kill()
  receiver.close()
})

Kill(
  `of ${CALLBACKS} callbacks and ${KILLS} kills each arrives at least once (spec/interface#6)`,
  async () => {
    await Promise.all([...Array.from({ length: AT_ONCE }, endSessions), killNowAndThen()])
    let before = -1
    while (accepted() > before) {
      before = accepted()
      const more = Math.min(before + 1, CALLBACKS)
      await until(() => accepted() >= more, `callback ${more} of ${CALLBACKS}`)
    }
    assert.is(accepted(), CALLBACKS)
  },
)

Kill('all repeats of a callback have the same key, which no other callback has', () => {
  const all = [...receiver.received.values()]
  for (const { keys } of all) assert.is(keys.size, 1)
  assert.is(new Set(all.flatMap(({ keys }) => [...keys])).size, all.length)
})

Kill('no callback is sent for a session that did not end, and each has the final status', () => {
  for (const [token, { bodies }] of receiver.received) {
    assert.ok(ended.has(token))
    for (const body of bodies) assert.is(JSON.parse(body).status, 'CANCELLED')
  }
})

Kill('svc deliveries lists each callback once, while the server runs', async () => {
  const { code, stdout, stderr } = await runSvc(['deliveries', 'list', '--json', '--store', store])
  assert.equal([code, stderr], [0, ''])
  assert.is(stdout.trimEnd().split('\n').length, CALLBACKS)
})

Kill('no log contains a token, or a path or query of a callbackUrl (spec/laws#6)', async () => {
  await kill()
  const secrets = [...ended, new URL(receiver.url).pathname, 'of-the-shop']
  for (const log of logs)
    for (const secret of secrets)
      assert.is(
        log.split('\n').find(line => line.includes(secret)),
        undefined,
      )
})

Kill.run()
