/** Changes of records that a request of an OpenID provider makes at once. */
import * as assert from 'uvu/assert'
import { storeAtOnce } from '../../../actors/oidc/at-once.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { suite } from '../../suite.ts'
import { errorOf, recordsOn } from './nodes.ts'

function start() {
  const [clock, store] = [createSimulatedClock(), createMemoryStore()]
  const { store: changed, atOnce } = storeAtOnce(store)
  const adapterFor = recordsOn(changed, clock).adapterFor
  return { store, atOnce, adapterFor, ofOthers: recordsOn(store, clock).adapterFor('Code') }
}

const AtOnce = suite('changes of records at once')

AtOnce('the request sees its changes before its end, and another one sees them after it', async () => {
  const { atOnce, adapterFor, ofOthers } = start()
  const codes = adapterFor('Code')
  await codes.upsert('old', { is: 'old' }, 60)
  const isCommitted = await atOnce(async () => {
    await codes.upsert('new', { is: 'new' }, 60)
    await codes.upsert('new', { is: 'newer' }, 60)
    await codes.destroy('old')
    await codes.upsert('brief', {}, 60)
    await codes.destroy('brief')
    assert.equal([await codes.find('new'), await codes.find('old')], [{ is: 'newer' }, undefined])
    assert.equal([await ofOthers.find('new'), await ofOthers.find('old')], [undefined, { is: 'old' }])
  })
  assert.is(isCommitted, true)
  assert.equal([await ofOthers.find('new'), await ofOthers.find('old')], [{ is: 'newer' }, undefined])
  await codes.consume('new') // its version is the one of a single change
})

AtOnce('a request that fails changes nothing', async () => {
  const { atOnce, adapterFor, store } = start()
  const work = atOnce(async () => {
    await adapterFor('Code').upsert('new', {}, 60)
    throw new Error('a node is killed')
  })
  assert.is((await errorOf(work)).message, 'a node is killed')
  assert.is(await store.oidc.count(), 0)
})

AtOnce('none of the changes is made if another request has changed one of the records', async () => {
  const { atOnce, adapterFor, ofOthers } = start()
  const codes = adapterFor('Code')
  await codes.upsert('shared', { by: 'none' }, 60)
  const isCommitted = await atOnce(async () => {
    await codes.upsert('shared', { by: 'me' }, 60)
    await codes.upsert('mine', {}, 60)
    await ofOthers.upsert('shared', { by: 'another' }, 60)
  })
  assert.is(isCommitted, false)
  assert.equal([await codes.find('shared'), await codes.find('mine')], [{ by: 'another' }, undefined])
})

AtOnce('the end of a grant is not undone by a request that fails', async () => {
  const { atOnce, adapterFor, ofOthers } = start()
  await ofOthers.upsert('code', { grantId: 'grant' }, 60)
  await atOnce(async () => {
    await adapterFor('Code').revokeByGrantId('grant')
    assert.is(await ofOthers.find('code'), undefined)
  })
})

AtOnce.run()
