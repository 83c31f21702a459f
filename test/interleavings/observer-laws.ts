/** The laws of streams, callbacks and time: each status once and in order, one due callback, no missed deadline. At the end
 *  all parties see the same. @module */
import * as assert from 'uvu/assert'
import { ASKS, isFinal, type Status } from './asks.ts'
import { NAMES, type OpenedStream, type World } from './world.ts'

/** The longest time before a node reads due work from the store without a notification. With a shared store, this takes up to a second. */
function longestSleepMs({ aheadMs }: World): number {
  return aheadMs === null ? 5_000 : 1_000
}

type Change = { readonly status: Status; readonly index: number }

/** The changes of status, each with the number of its commit. */
function changesOf({ history }: World): readonly Change[] {
  return history.flatMap(({ row }, index) => {
    const before = history[index - 1]?.row?.status
    return row === null || before === undefined || before === row.status
      ? []
      : [{ status: row.status, index }]
  })
}

export function assertStreams(world: World): void {
  const changes = changesOf(world)
  for (const stream of world.streams) assertStream(world, stream, changes)
}

function assertStream(world: World, stream: OpenedStream, changes: readonly Change[]): void {
  const { head, begun, opened, title, view, isDisturbed, end, isObject } = stream
  if (head === null || head === 'cut') return
  if (head.status !== 200) {
    const rows = world.history.slice(begun - 1, opened).map(({ row }) => row)
    const whys: Readonly<Record<number, boolean>> = {
      204: rows.some(row => isFinal(row?.status)),
      400: rows.includes(null),
      503: isDisturbed,
    }
    assert.ok(whys[head.status], `${title}: ${head.status}`)
    return
  }
  const [marker, ...told] = stream.frames
  assert.is(marker ?? 'event: open', 'event: open', title)
  const sent = told.map(frame => statusIn(frame, isObject))
  const isWhole = view.fate === 'works' && !view.isHeld && end !== 'cut'
  const starts = changes.filter(({ index }) => index >= begun && index < opened).length
  const first = changes.filter(({ index }) => index < begun).length
  // the status at the opening is sent too, unless an earlier answer to the same caller contained it
  const atOpening = changes.slice(Math.max(0, first - 1), first).filter(({ status }) => status !== 'PAIRING')
  const later = [...atOpening, ...changes.slice(first)].map(({ status }) => status)
  const fits = Array.from({ length: starts + atOpening.length + 1 }, (_, skipped) =>
    later.slice(skipped),
  ).some(
    expected =>
      expected.slice(0, sent.length).join() === sent.join() && (!isWhole || sent.length === expected.length),
  )
  assert.ok(fits, `${title}: expected changes of ${later.join(', ')}, got ${sent.join(', ')}`)
  if (isWhole && isFinal(sent.at(-1))) assert.is(end, 'ended', `${title}: ends with a final status`)
}

function statusIn(frame: string, isObject: boolean): Status {
  const value: unknown = JSON.parse(frame.replace(/^data: /, ''))
  return isObject ? Object(value).status : (value as Status)
}

/** A final status and its callback are committed together, once. The next session of a chain is created together with `DONE`. */
export async function assertOwed(world: World): Promise<void> {
  const { history, store, kind } = world
  const [final] = history.flatMap(({ row }) => (row && isFinal(row.status) ? [row] : []))
  const id = history[0]?.id
  const owed = (await store.inner.deliveries.list()).filter(({ owner }) => owner === id)
  assert.equal(
    owed.map(({ cause }) => cause),
    final ? [final.status] : [],
    'one callback is owed, with the final status',
  )
  const children = store.committed.filter(({ id: other, row }) => other !== id && row?.version === 1).length
  const isFollowed = kind.hasNextSession && final?.status === 'DONE' && final.result?.text.includes('"VALID"')
  assert.is(children, isFollowed ? 1 : 0, 'number of next sessions')
}

/** @returns true if a node is able to notice the passing of time, and has had the time to do so */
function isCalm(world: World): boolean {
  const { clock, disturbedAt, nodes } = world
  const isNoticed = [...nodes.values()].some(({ view }) => view.fate === 'works' && !view.isHeld)
  return isNoticed && clock.now() > disturbedAt + longestSleepMs(world)
}

/** A deadline that was suspended by a claim is due when the claim ends. */
export function assertDeadlines(world: World): void {
  const [before, last] = [world.history.at(-2), world.history.at(-1)]
  if (!last?.row || !isCalm(world)) return
  const { row, at } = last
  const keptBackUntil = before?.row?.claim ? at : 0
  const dueAt = row.claim?.leaseUntil ?? Math.max(row.deadlineAt, keptBackUntil)
  const lateMs = world.clock.now() - dueAt
  assert.ok(lateMs <= longestSleepMs(world), `${row.status}: the deadline is overdue by ${lateMs} ms`)
}

/** All parties that read a session that has ended see the same. */
export async function assertAgreed(world: World, final: Status): Promise<void> {
  const first = world.calls.length
  for (const name of NAMES)
    for (const title of Object.keys(ASKS)) if (/ reads the /.test(title)) world.ask(name, title)
  await world.settle()
  for (const { title, answer } of world.calls.slice(first)) {
    const { json } = Object(answer)
    assert.is(typeof json === 'string' ? json : Object(json).status, final, title)
  }
  for (const { frames, title, isObject } of world.streams) {
    const last = frames.slice(1).at(-1)
    if (last && isFinal(statusIn(last, isObject))) assert.is(statusIn(last, isObject), final, title)
  }
}

/** The callback has arrived, always with the same body. */
export async function assertDelivered({ posted, store }: World, final: Status): Promise<void> {
  assert.ok(
    posted.some(({ status }) => status === 200),
    'the callback arrives',
  )
  assert.is(new Set(posted.map(({ key }) => key)).size, 1, 'one key')
  for (const { body } of posted) assert.is(JSON.parse(body).status, final, 'the callback')
  assert.equal(
    (await store.inner.deliveries.list()).map(({ state }) => state),
    ['delivered'],
  )
}
