/** The maximum number of pending callbacks (spec/laws#5): the requests that it refuses, how often it counts, and that no callback is dropped. @module */
import * as assert from 'uvu/assert'
import { OwedBound } from '../../actors/deliveries/owed-bound.ts'
import type { NewSession } from '../../actors/sessions.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { restoreRequest } from '../../protocol/request.ts'
import type { DeliveryParty } from '../../stores/delivery-store.ts'
import { StoreError } from '../../stores/store-error.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { columnsOf, newSessionOf } from './node.ts'

const SHOP: DeliveryParty = { requestor: 'shop' }
const HOST: DeliveryParty = { host: 'shop.example:8443' }

function sessionTo(callbackUrl: string): NewSession {
  const request = restoreRequest(JSON.stringify({ callbackUrl }))
  return newSessionOf('s', {
    columns: { ...columnsOf('s'), requestor: 'shop', request },
    hasCallback: callbackUrl !== '',
  })
}

/** @param counts number of pending callbacks, by requestor or host */
function boundOver(counts: Map<string, number>) {
  const clock = createSimulatedClock(1_000)
  const asked: DeliveryParty[] = []
  const state = { isFailing: false }
  const bound = new OwedBound({
    clock,
    max: 3,
    deliveries: {
      async countOwed(by) {
        asked.push(by)
        if (state.isFailing) throw new StoreError('gone')
        return counts.get(JSON.stringify(by)) ?? 0
      },
    },
  })
  return { clock, asked, state, bound }
}

const SESSION = sessionTo('https://shop.example:8443/results')

const Bound = suite('spec/laws#5: callbacks that are owed')

for (const by of [SHOP, HOST])
  Bound(`${JSON.stringify(by)}: as many callbacks as the bound: refused; one fewer: accepted`, async () => {
    const counts = new Map([[JSON.stringify(by), 2]])
    const { bound, clock } = boundOver(counts)
    await bound.requireRoom(SESSION)
    counts.set(JSON.stringify(by), 3)
    clock.advance(1_000)
    assert.match(
      await rejection(bound.requireRoom(SESSION)),
      /^UnavailableError: expected fewer than 3 callbacks (of this requestor|to this host)/,
    )
  })

Bound('a session without a callback causes no count', async () => {
  const { bound, asked } = boundOver(new Map([[JSON.stringify(SHOP), 3]]))
  await bound.requireRoom(sessionTo(''))
  assert.equal(asked, [])
})

Bound('a burst of sessions costs one count of each, and a second later they are counted again', async () => {
  const { bound, asked, clock } = boundOver(new Map())
  await Promise.all(Array.from({ length: 50 }, () => bound.requireRoom(SESSION)))
  clock.advance(999)
  await bound.requireRoom(SESSION)
  assert.equal(asked, [SHOP, HOST])
  clock.advance(1)
  await bound.requireRoom(SESSION)
  assert.is(asked.length, 4)
})

Bound('the error of a failed count is thrown to the caller, and the next caller counts again', async () => {
  const { bound, state } = boundOver(new Map())
  state.isFailing = true
  assert.match(await rejection(bound.requireRoom(SESSION)), /^StoreError: gone/)
  state.isFailing = false
  await bound.requireRoom(SESSION)
})

Bound.run()
