/** The listener for Prometheus, and the text of its page. @module */
import * as assert from 'uvu/assert'
import { prometheusMeter } from '../../http/metrics/prometheus.ts'
import { createMetricsServer, type MetricsServerDeps } from '../../http/metrics/server.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { deferred, settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { clientOf } from './client.ts'
import { type IdleConnections, idleConnections } from './idle-connections.ts'

const Server = suite('metrics: the listener of Prometheus')
const clock = createSimulatedClock(0)
const readiness = () => null

Server('the listener answers only GET /metrics', async () => {
  const page = async () => ({ type: 'text/plain; version=0.0.4; charset=utf-8', text: 'a_total 1\n' })
  const server = createMetricsServer({ page, readiness, log: { error: console.log }, clock })
  const { port } = await server.listen(0, '127.0.0.1')
  const { call } = clientOf(port)
  const shown = await call('GET', '/metrics?a=b')
  assert.equal([shown.status, shown.text], [200, 'a_total 1\n'])
  assert.is(shown.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  const head = await call('HEAD', '/metrics')
  assert.equal([head.status, head.text], [200, ''])
  for (const method of ['POST', 'DELETE', 'OPTIONS']) assert.is((await call(method, '/metrics')).status, 405)
  for (const path of ['/', '/metrics/', '/metrics/x', '/health', '/session'])
    assert.is((await call('GET', path)).status, 404, path)
  await server.close()
})

Server('GET /health/ready shows the operator the names that the main listener leaves out', async () => {
  const page = async () => ({ type: 'text/plain', text: '' })
  let node: ReturnType<MetricsServerDeps['readiness']> = null
  const server = createMetricsServer({ page, readiness: () => node, log: { error: console.log }, clock })
  const { port } = await server.listen(0, '127.0.0.1')
  const asked = async () => {
    const { status, headers, json } = await clientOf(port).call('GET', '/health/ready')
    assert.is(headers['content-type'], 'application/json; charset=UTF-8')
    const { ready, reasons, warnings } = Object(json)
    return [status, ready, reasons, warnings]
  }
  assert.equal(await asked(), [503, false, { node: 'it is starting' }, {}])
  const state = { reasons: {}, warnings: { keys: 'some' }, namedWarnings: { keys: 'svc-demo.old' } }
  node = { now: async () => state }
  assert.equal(await asked(), [200, true, {}, { keys: 'svc-demo.old' }])
  await server.close()
})

Server('a request to upgrade to another protocol is answered like any other request', async () => {
  const page = async () => ({ type: 'text/plain', text: 'a_total 1\n' })
  const server = createMetricsServer({ page, readiness, log: { error: console.log }, clock })
  const { port } = await server.listen(0, '127.0.0.1')
  const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' }
  const shown = await clientOf(port).call('GET', '/metrics', { headers })
  assert.equal([shown.status, shown.text], [200, 'a_total 1\n'])
  await server.close()
})

Server('100 idle connections block no caller: the longest idle of their address are closed', async () => {
  const page = async () => ({ type: 'text/plain', text: '' })
  const server = createMetricsServer({ page, readiness, log: { error: console.log }, clock })
  const { port } = await server.listen(0, '127.0.0.1')
  const [idle, other] = [await idleConnections(port, 100), await idleConnections(port, 100, '127.0.0.2')]
  assert.is((await clientOf(port).call('GET', '/metrics')).status, 200)
  assert.equal([await idle.open(15), await other.open(16)], [15, 16])
  idle.end()
  other.end()
  await server.close()
})

Server('all addresses together have at most 64 connections', async () => {
  const page = async () => ({ type: 'text/plain', text: '' })
  const server = createMetricsServer({ page, readiness, log: { error: console.log }, clock })
  const { port } = await server.listen(0, '127.0.0.1')
  const all: IdleConnections[] = []
  for (let i = 1; i <= 5; i++) all.push(await idleConnections(port, 16, `127.0.0.${i}`))
  const counts = await Promise.all(all.map((idle, i) => idle.open(i === 0 ? 0 : 16)))
  assert.equal(counts, [0, 16, 16, 16, 16])
  for (const idle of all) idle.end()
  await server.close()
})

Server('16 calls of an address may be in progress at once: a connection beyond them is closed', async () => {
  const made = deferred()
  const page = async () => {
    await made.promise
    return { type: 'text/plain', text: 'x' }
  }
  const server = createMetricsServer({ page, readiness, log: { error: console.log }, clock })
  const { port } = await server.listen(0, '127.0.0.1')
  const { call } = clientOf(port)
  const asked = Array.from({ length: 17 }, () =>
    call('GET', '/metrics').then(
      ({ text }) => text,
      () => 'closed',
    ),
  )
  assert.is(await Promise.race(asked), 'closed')
  made.resolve()
  const answers = await Promise.all(asked)
  assert.is(answers.filter(text => text === 'x').length, 16)
  await server.close()
})

Server('a page that fails is an error in the log, and is answered with 500 without details', async () => {
  const logged: unknown[] = []
  const page = () => Promise.reject(new Error('why'))
  const error = (...line: unknown[]): void => void logged.push(line)
  const server = createMetricsServer({ page, readiness, log: { error }, clock })
  const { port } = await server.listen(0, '127.0.0.1')
  const answer = await clientOf(port).call('GET', '/metrics')
  assert.equal([answer.status, answer.text, logged.length], [500, 'Internal Server Error\n', 1])
  await server.close()
})

Server('a figure that takes longer than 2 s is left out, and the others are shown', async () => {
  const failed: string[] = []
  const { meter, page } = prometheusMeter({ clock, now: () => 0, report: name => failed.push(name) })
  meter.gauge({ name: 'slow', help: 'h', labels: [] }, () => new Promise(() => {}))
  meter.gauge({ name: 'quick', help: 'h', labels: [] }, () => [{ labels: {}, value: 7 }])
  const asked = page()
  await settle()
  clock.advance(1_999)
  await settle()
  assert.equal(failed, [])
  clock.advance(1)
  const { text } = await asked
  assert.equal(failed, ['slow'])
  assert.match(text, /^quick 7$/m)
  assert.not.match(text, /^slow /m)
})

Server('concurrent calls get the same page', async () => {
  let read = 0
  const { meter, page } = prometheusMeter({ clock, now: () => 0, report() {} })
  meter.gauge({ name: 'reads', help: 'h', labels: [] }, () => {
    read += 1
    return [{ labels: {}, value: read }]
  })
  await Promise.all([page(), page(), page()])
  assert.is(read, 1)
  await page()
  assert.is(read, 2)
})

Server('two servers of one process have separate figures', async () => {
  const [one, other] = [0, 0].map(() =>
    prometheusMeter({ clock: createSimulatedClock(0), now: () => 0, report() {} }),
  )
  const add = one?.meter.counter({ name: 'a_total', help: 'h', labels: [] }, [{}])
  other?.meter.counter({ name: 'a_total', help: 'h', labels: [] }, [{}])
  add?.({})
  assert.match((await one?.page())?.text ?? '', /^a_total 1$/m)
  assert.match((await other?.page())?.text ?? '', /^a_total 0$/m)
})

Server.run()
