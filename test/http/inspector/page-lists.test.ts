/** Lists that are read while something happens: whoever watches ends with how it stands. */
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { type PageViewer, viewerOf, withInspector } from './harness.ts'

const Lists = suite('inspector: lists and what happens meanwhile')

/** The answer to a question comes after every step that was committed before. */
async function caughtUp(viewer: PageViewer): Promise<void> {
  const before = viewer.all('svc.path').length
  viewer.send({ type: 'path', id: 'never seen' })
  await viewer.until(() => viewer.all('svc.path').length > before)
}

Lists(
  'what happens while lists are read is sent after them, and who asks twice meanwhile gets one answer',
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
Lists.run()
