/** The events of one stream, if changes arrive before its head, twice, late or at once (spec/interface#6). */
import { PassThrough } from 'node:stream'
import * as assert from 'uvu/assert'
import { OpenStream } from '../../http/open-stream.ts'
import { type DescribeStatus, StatusFeed } from '../../http/status-feed.ts'
import type { SessionRow, SessionStatus, StatusChange } from '../../stores/session-store.ts'
import { deferred, settle } from '../actors/node.ts'
import { sessionRow } from '../stores/rows.ts'
import { suite } from '../suite.ts'

const Feed = suite('events of a stream')

type Options = { readonly describe?: DescribeStatus; readonly read?: () => Promise<unknown> }

function feedOf({ describe = status => status, read = async () => null }: Options = {}, hasIds = false) {
  const wire = new PassThrough()
  const stream = new OpenStream('a', { out: wire, connection: wire }, () => {})
  const ended: SessionStatus[] = []
  const feed = new StatusFeed({ describe, read, hasIds, ended: status => ended.push(status) })
  const begin = (status: SessionStatus = 'INITIALIZED', version = 1, missed: SessionStatus[] = []): void =>
    feed.begin(stream, { known: status, missed }, version)
  /** the text that was written since the last call, and whether the stream is open */
  const told = async (): Promise<readonly [string, boolean]> => {
    await settle()
    return [String(wire.read() ?? ''), !stream.isOver]
  }
  return { feed, begin, told, wire, ended }
}

/** The row of a session without readable facts: only its status is known. */
const rowOf = (version: number, status: SessionStatus): SessionRow =>
  sessionRow('a', { version, status, snapshot: null })
const changeOf = (version: number, oldStatus: SessionStatus, newStatus: SessionStatus): StatusChange => ({
  id: rowOf(1, oldStatus).id,
  version,
  oldStatus,
  newStatus,
})

Feed('changes that arrive before the head are sent after it', async () => {
  const { feed, begin, told } = feedOf()
  feed.notify(changeOf(2, 'INITIALIZED', 'CONNECTED'))
  feed.notifyRow(rowOf(3, 'DONE'))
  await settle()
  begin()
  assert.equal(await told(), ['event: open\n\ndata: "CONNECTED"\n\ndata: "DONE"\n\n', false])
})

Feed('missed changes are sent first, and a final status counts as sent once it was written', async () => {
  const { feed, begin, told, ended } = feedOf()
  feed.notify(changeOf(4, 'CONNECTED', 'DONE'))
  begin('PAIRING', 3, ['CONNECTED'])
  assert.equal(await told(), ['event: open\n\ndata: "CONNECTED"\n\ndata: "DONE"\n\n', false])
  assert.equal(ended, ['DONE'])
  const left = feedOf()
  left.begin('PAIRING', 3)
  left.wire.destroy()
  await settle()
  left.feed.notify(changeOf(4, 'PAIRING', 'CANCELLED'))
  await settle()
  assert.equal(left.ended, [])
})

Feed('the stream of a session that is deleted before the head ends at once', async () => {
  const { feed, begin, told } = feedOf()
  feed.notifyRow(null)
  begin()
  assert.equal(await told(), ['event: open\n\n', false])
})

Feed('a change that was already in the row is not sent again, and causes no reading', async () => {
  let reads = 0
  const { feed, begin, told } = feedOf({ read: async () => (reads += 1) })
  begin('CONNECTED', 2)
  feed.notify(changeOf(2, 'INITIALIZED', 'CONNECTED'))
  assert.equal([await told(), reads], [['event: open\n\n', true], 0])
})

Feed('a change is sent without reading the row, unless an earlier change was missed', async () => {
  let reads = 0
  const { feed, begin, told } = feedOf({ read: async () => (reads += 1) })
  begin()
  feed.notify(changeOf(2, 'INITIALIZED', 'PAIRING'))
  assert.equal([(await told())[0], reads], ['event: open\n\ndata: "PAIRING"\n\n', 0])
  feed.notify(changeOf(4, 'CONNECTED', 'DONE'))
  assert.equal([(await told())[0], reads], ['', 1])
})

Feed(
  'an unreadable row, or a status without a description, ends the stream, so that its client reconnects',
  async () => {
    const unread = feedOf({ read: () => Promise.reject(new Error('gone')) })
    unread.begin()
    unread.feed.notify(changeOf(3, 'CONNECTED', 'DONE'))
    await settle()
    const undescribed = feedOf({ describe: () => Promise.reject(new Error('gone')) })
    undescribed.begin()
    undescribed.feed.notify(changeOf(2, 'INITIALIZED', 'DONE'))
    await settle()
    assert.equal([unread.wire.destroyed, undescribed.wire.destroyed], [true, true])
  },
)

Feed('a slow event delays later events and the end', async () => {
  const slow = deferred()
  const describe: DescribeStatus = async status => {
    if (status === 'PAIRING') await slow.promise
    return status
  }
  const { feed, begin, told } = feedOf({ describe })
  begin()
  feed.notify(changeOf(2, 'INITIALIZED', 'PAIRING'))
  feed.notify(changeOf(3, 'PAIRING', 'CONNECTED'))
  feed.notifyRow(null)
  assert.equal(await told(), ['event: open\n\n', true])
  slow.resolve()
  assert.equal(await told(), ['data: "PAIRING"\n\ndata: "CONNECTED"\n\n', false])
})

Feed('with ids, the id of an event is its status', async () => {
  const { feed, begin, told } = feedOf({}, true)
  begin()
  feed.notify(changeOf(2, 'INITIALIZED', 'CONNECTED'))
  const expected = 'id: INITIALIZED\nevent: open\n\nid: CONNECTED\ndata: "CONNECTED"\n\n'
  assert.is((await told())[0], expected)
})

Feed.run()
