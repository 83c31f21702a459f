/** The inspector's page in a browser: the chosen actor, and its kept path. */
import * as assert from 'uvu/assert'
import type { ShownStep } from '../../../actors/inspection/views.ts'
import * as patience from '../../patience.ts'
import { actor, NOW, pageTests, serve } from './served-page.ts'

const CLOSED = { version: 2, states: [], status: 'CANCELLED' }
const FORGOTTEN = { states: ['forgotten'], status: 'forgotten', sinceAt: null, dueAt: null, isAwake: false }
const ONE = actor('1'.padStart(32, '0'))

/** The cancellation of that actor. */
const CANCELLED: ShownStep = {
  chart: 'session',
  id: ONE.id,
  edges: [],
  before: ['INITIALIZED'],
  event: { type: 'cancelled', fields: { at: NOW } },
  actor: actor(ONE.id, { version: 2, states: ['CANCELLED'], status: 'CANCELLED' }),
}
const ITS_END: ShownStep = {
  chart: 'session',
  id: ONE.id,
  edges: [],
  before: ['CANCELLED'],
  actor: null,
  event: { type: 'xstate.after.retention.session.CANCELLED', fields: { at: NOW } },
}

const { test, run } = await pageTests('inspector: the chosen actor on the page')

test('the chart of sessions is shown until an actor is chosen, although the server names deliveries first', place =>
  serve(place, 1, async ({ page }) => {
    await page.locator('[data-state="CONNECTED"]').waitFor()
    assert.is(await page.locator('.now').count(), 0)
  }))

test('a deleted actor leaves the list, and the page still shows its last state if it is chosen', place =>
  serve(place, 1, async ({ page, send }) => {
    const { id } = actor('1'.padStart(32, '0'))
    await page.locator('.actor').click()
    const event = { type: 'xstate.after.retention.session.DONE', fields: { at: NOW } }
    send({ type: 'svc.step', chart: 'session', id, event, edges: [], before: ['DONE'], actor: null })
    await page.locator('.actor').waitFor({ state: 'detached' })
    await page.locator('#state', { hasText: 'forgotten' }).waitFor()
    assert.is(await page.locator('.now').getAttribute('data-state'), 'forgotten')
    assert.match(await page.locator('.entry').innerText(), 'after retention')
  }))

test('the page shows that the chosen actor was closed without its chart, and then its deletion', place =>
  serve(place, 1, async ({ page, send }) => {
    const { id, chart } = ONE
    await page.locator('.actor').click()
    await page.locator('[data-state="INITIALIZED"].now').waitFor()
    send({ type: 'svc.changed', chart, id, actor: actor(id, CLOSED) })
    await page.locator('#state', { hasText: 'closed' }).waitFor()
    assert.is(await page.locator('.now').count(), 0)
    send({ type: 'svc.changed', chart, id, actor: null })
    await page.locator('[data-state="forgotten"].now').waitFor()
    assert.match(await page.locator('#facts').innerText(), 'stored no longer')
  }))

test('a closed actor that was on no list does not increase the number of actors', place =>
  serve(place, 100_000, async ({ page, send }) => {
    const { id, chart } = actor('c'.repeat(32))
    send({ type: 'svc.changed', chart, id, actor: actor(id, CLOSED) })
    await page.locator('.actor', { hasText: 'closed' }).waitFor()
    assert.match(await page.locator('#counts').innerText(), /^Sessions: 100,000 /)
  }))

test('an actor that was deleted before the page connects again is shown as forgotten', place =>
  serve(place, 1, async ({ page, send }) => {
    const { id } = ONE
    await page.locator('.actor').click()
    await page.locator('[data-state="INITIALIZED"].now').waitFor()
    send({ type: 'svc.found', id, actor: null })
    await page.locator('[data-state="forgotten"].now').waitFor()
    await page.locator('.actor').waitFor({ state: 'detached' })
  }))

test('the page reads the lists every ten seconds, since other servers may have changed an actor', place =>
  serve(
    place,
    1,
    async ({ page, heard, send }) => {
      const { id } = ONE
      await page.locator('.actor').click()
      await page.locator('[data-state="INITIALIZED"].now').waitFor()
      const before = heard.length
      await page.clock.fastForward(10_000)
      await page.locator('.actor').waitFor()
      await patience.until(() => heard.length >= before + 2, 'two messages')
      assert.equal(heard.slice(before), [{ type: 'list' }, { type: 'choose', id }])
      const connected = actor(id, { version: 2, states: ['CONNECTED.awaiting'], status: 'CONNECTED' })
      send({ type: 'svc.list', chart: 'session', total: 1, actors: [connected] })
      await page.locator('[data-state="CONNECTED.awaiting"].now').waitFor()
    },
    { isClockOurs: true },
  ))

test('the kept path of a deleted actor is on the list, and can be played', place =>
  serve(
    place,
    0,
    async ({ page, heard, send }) => {
      await page.locator('.actor', { hasText: 'kept' }).click()
      await page.locator('[data-state="forgotten"].now').waitFor()
      assert.equal(heard.at(-1), { type: 'path', id: ONE.id })
      send({ type: 'svc.found', id: ONE.id, actor: null })
      const path = { first: ONE, steps: [CANCELLED, ITS_END], isCut: false }
      send({ type: 'svc.path', id: ONE.id, path })
      await page.getByText('2 steps are kept').waitFor()
      await page.getByRole('button', { name: 'Step back' }).click()
      await page.locator('[data-state="CANCELLED"].now').waitFor()
      await page.getByRole('button', { name: 'Step back' }).click()
      await page.locator('[data-state="INITIALIZED"].now').waitFor()
    },
    { kept: [{ ...ONE, ...FORGOTTEN }] },
  ))

test('a kept path stays on the list when its actor is deleted, until the path is deleted', place =>
  serve(place, 1, async ({ page, send }) => {
    const { id } = ONE
    await page.locator('.actor').click()
    send({ type: 'svc.path', id, path: { first: ONE, steps: [], isCut: false } })
    await page.locator('.actor', { hasText: 'kept' }).waitFor()
    send({ type: 'svc.step', ...CANCELLED })
    send({ type: 'svc.step', ...ITS_END })
    await page.locator('.actor', { hasText: 'forgotten' }).waitFor()
    await page.getByText('2 steps are kept').waitFor()
    send({ type: 'svc.path', id, path: null })
    await page.locator('.actor').waitFor({ state: 'detached' })
  }))

test('a step that is already in the path is not added again', place =>
  serve(place, 1, async ({ page, send }) => {
    await page.locator('.actor').click()
    send({ type: 'svc.path', id: ONE.id, path: { first: ONE, steps: [CANCELLED], isCut: false } })
    await page.getByText('1 step is kept').waitFor()
    send({ type: 'svc.step', ...CANCELLED })
    send({ type: 'svc.step', ...ITS_END })
    await page.getByText('2 steps are kept').waitFor()
  }))

test('the path of the chosen actor is read again after a new connection', place =>
  serve(
    place,
    1,
    async ({ page, heard, close }) => {
      await page.locator('.actor').click()
      const asked = () => heard.filter(({ type }) => type === 'path').length
      await patience.until(() => asked() >= 1, 'a question for the path')
      await close(1013, 'expected a viewer that reads, got one that is too slow')
      await patience.until(() => asked() >= 2, 'another question for the path')
      assert.is(asked(), 2)
    },
    { kept: [ONE] },
  ))

test('a scrolled chart stays in place until another state is lit', place =>
  serve(place, 2, async ({ page, send }) => {
    await page.locator('.actor').first().click()
    await page.locator('.now').waitFor()
    const scrolled = 'document.getElementById("drawing").scrollTop'
    await page.evaluate(`${scrolled} = 300`)
    const other = actor('d'.repeat(32), { requestor: 'bakery' })
    send({ type: 'svc.changed', chart: 'session', id: other.id, actor: other })
    await page.locator('.actor', { hasText: 'bakery' }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click() // repaints at once
    assert.is(await page.evaluate(scrolled), 300)
    await page.locator('.actor').last().click()
    await page.locator('.actor[aria-current="true"]').waitFor()
    const { id } = actor('1'.padStart(32, '0'))
    const event = { type: 'app.connected', fields: { at: NOW } }
    const connected = actor(id, { version: 2, states: ['CONNECTED.awaiting'], status: 'CONNECTED' })
    await page.evaluate(`${scrolled} = 900`)
    send({
      type: 'svc.step',
      chart: 'session',
      id,
      event,
      edges: [],
      before: ['INITIALIZED'],
      actor: connected,
    })
    await page.locator('[data-state="CONNECTED.awaiting"].now').waitFor()
    assert.not(await page.evaluate(`${scrolled} === 900`))
  }))

run()
