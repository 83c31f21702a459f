/** Lists that are read while actors change: the viewer ends with the current state. */
import * as assert from 'uvu/assert'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { elapse, MINUTE } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import { AUTHENTICATED, disclosure, OF_SHOP, type SessionOfTest, sessionIn } from '../harness.ts'
import { type PageViewer, viewerOf, withInspector } from './harness.ts'

const Lists = suite('inspector: changes while lists are read')

/** Sends a question, and waits for its answer, which arrives after every step that was committed before. */
async function caughtUp(viewer: PageViewer): Promise<void> {
  const before = viewer.all('svc.path').length
  viewer.send({ type: 'path', id: 'never seen' })
  await viewer.until(() => viewer.all('svc.path').length > before)
}

Lists(
  'changes while lists are read are sent after the lists, and two questions meanwhile get one answer',
  () =>
    withInspector(async server => {
      const viewer = await viewerOf(server.inspectorPort)
      const session = await server.create()
      await caughtUp(viewer)
      const { inspection } = server
      const read = inspection.lists.bind(inspection)
      let goOn = (): void => {}
      const hold = new Promise<void>(resolve => {
        goOn = resolve
      })
      inspection.lists = async limit => {
        const lists = await read(limit)
        await hold
        return lists
      }
      const from = viewer.messages.length
      viewer.send({ type: 'list' })
      viewer.send({ type: 'list' })
      await caughtUp(viewer)
      await server.call('DELETE', session.requestor)
      await caughtUp(viewer)
      goOn()
      await viewer.until(({ type }) => type === 'svc.step')
      const types = viewer.messages.slice(from).map(({ type }) => type)
      assert.equal(
        types.filter(type => type !== 'svc.path'),
        ['svc.list', 'svc.list', 'svc.step'],
      )
    }),
)
Lists('a new viewer gets the actor of a kept path as forgotten if the actor was deleted', () =>
  withInspector(async server => {
    const session = await server.create()
    const id = hashOfToken(session.clientToken)
    const first = await viewerOf(server.inspectorPort)
    first.send({ type: 'keep', id, isOn: true })
    await first.until(({ type }) => type === 'svc.path')
    const begun = await viewerOf(server.inspectorPort)
    assert.equal(begun.all('svc.hello')[0]?.kept, [begun.all('svc.list').at(-1)?.actors[0]])
    await server.call('DELETE', session.requestor)
    await elapse(server.clock, 5 * MINUTE + 1)
    await first.until(message => message.type === 'svc.step' && message.actor === null)
    const late = await viewerOf(server.inspectorPort)
    const [standing] = late.all('svc.hello')[0]?.kept ?? []
    assert.equal([standing?.id, standing?.status, standing?.states], [id, 'forgotten', ['forgotten']])
    assert.equal([standing?.dueAt, standing?.isAwake, late.all('svc.list').at(-1)?.actors], [null, false, []])
    for (const viewer of [first, begun, late]) await viewer.close()
  }),
)

Lists('a viewer with a filter for one requestor gets its sessions, and every deletion of an actor', () =>
  withInspector(
    async server => {
      const begin = async () =>
        sessionIn(await server.post({ request: { ...disclosure(), host: 'www.shop.example' } }, OF_SHOP))
      const end = ({ requestor }: SessionOfTest) => server.call('DELETE', requestor, { headers: OF_SHOP })
      const viewer = await viewerOf(server.inspectorPort)
      const heard = () => viewer.all('svc.step').map(({ actor }) => actor?.status ?? 'forgotten')
      for (const requestor of ['shop', 'bank']) {
        viewer.send({ type: 'filter', chart: '', status: '', requestor })
        await caughtUp(viewer)
        await end(await begin())
        await caughtUp(viewer)
      }
      assert.equal(heard(), ['CANCELLED'])
      await elapse(server.clock, 5 * MINUTE + 1)
      await viewer.until(() => viewer.all('svc.step').length === 3)
      assert.equal(heard(), ['CANCELLED', 'forgotten', 'forgotten'])
      await viewer.close()
    },
    { settings: AUTHENTICATED },
  ),
)

Lists.run()
