/** The modules of the inspector's page that need no browser: the known actors, the texts about them, and the name of a session. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'

const moduleOf = (name: string) => import(pathToFileURL(join(PROJECT, 'http/inspector/page', name)).href)
const { Beats } = await moduleOf('beats.js')
const { Actors } = await moduleOf('actors.js')
const { nameOf } = await moduleOf('find.js')
const { ageText, dueText, eventName, factText, lengthText, moveText, standingText, timeText } =
  await moduleOf('words.js')

const ALL = { chart: '', status: '', requestor: '' }
const TOKEN = 'q1w2e3r4t5y6u7i8o9p0'

function session(id: string, version = 1, status = 'INITIALIZED', requestor = '') {
  return { chart: 'session', id, version, status, states: [status], requestor }
}

function known(bound: number, ids: readonly string[]) {
  const actors = new Actors()
  actors.begin(bound)
  actors.setList({ chart: 'session', total: ids.length, actors: ids.map(id => session(id)) })
  return { actors, ids: (filter = ALL) => actors.chosenBy(filter).map(({ id }: { id: string }) => id) }
}

const Modules = suite('inspector: modules of the page')

Modules('a list has the newest actor first, and a new actor is put before it', () => {
  const { actors, ids } = known(10, ['b', 'a'])
  actors.put(session('c'), true)
  assert.equal(ids(), ['c', 'b', 'a'])
  assert.is(actors.total('session'), 3)
})

Modules('an actor that changes keeps its place, and an older version of it changes nothing', () => {
  const { actors, ids } = known(10, ['b', 'a'])
  actors.put(session('a', 3, 'CONNECTED'))
  actors.put(session('a', 2, 'PAIRING'))
  assert.equal(ids(), ['b', 'a'])
  assert.is(actors.get('a').status, 'CONNECTED')
  assert.is(actors.total('session'), 2)
})

Modules('above the maximum length the oldest actor leaves the list, but is still counted', () => {
  const { actors, ids } = known(2, ['b', 'a'])
  actors.put(session('c'), true)
  assert.equal(ids(), ['c', 'b'])
  assert.is(actors.listed('session'), 2)
  assert.is(actors.total('session'), 3)
})

Modules('a deleted actor leaves the list, and is subtracted once', () => {
  const { actors, ids } = known(10, ['b', 'a'])
  actors.forget('b')
  actors.forget('b')
  assert.equal(ids(), ['a'])
  assert.is(actors.total('session'), 1)
})

Modules('a new list replaces only the list of its chart', () => {
  const { actors, ids } = known(10, ['b', 'a'])
  actors.put({ ...session('d'), chart: 'delivery' }, true)
  actors.setList({ chart: 'session', total: 1, actors: [session('c')] })
  assert.equal(ids().toSorted(), ['c', 'd'])
})

Modules('a filter selects by kind, by status and by the whole name of the requestor', () => {
  const { actors, ids } = known(10, ['a'])
  actors.put(session('b', 2, 'DONE', 'shop'))
  actors.put({ ...session('c', 2, 'DONE', 'shopping'), chart: 'delivery' })
  assert.equal(ids({ ...ALL, chart: 'session' }), ['b', 'a'])
  assert.equal(ids({ ...ALL, status: 'DONE' }), ['c', 'b'])
  assert.equal(ids({ ...ALL, requestor: 'shop' }), ['b'])
})

Modules('the name of a session is the hash of its token, in whichever form the token is pasted', async () => {
  const name = hashOfToken(TOKEN)
  const url = `https://example.org/svc/session/${TOKEN}`
  for (const text of [
    TOKEN,
    ` ${TOKEN}\n`,
    url,
    `${url}/`,
    JSON.stringify({ u: url, svcqr: 'disclosing' }),
    name,
  ])
    assert.is(await nameOf(text), name, text)
})

Modules('times are shown in the largest unit that fits', () => {
  const said = [-5, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_999, 172_800_000].map(ms => lengthText(ms))
  assert.equal(said, ['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 days'])
})

Modules('ages and deadlines are shown for each kind', () => {
  assert.is(ageText({ chart: 'session', sinceAt: 1_000 }, 4_000), 'for 3 s')
  assert.is(ageText({ chart: 'login', sinceAt: 1_000 }, 4_000), 'used 3 s ago')
  assert.is(ageText({ chart: 'delivery', sinceAt: 1_000 }, 4_000), 'owed for 3 s')
  assert.is(ageText({ chart: 'session', sinceAt: null }, 4_000), '')
  assert.is(dueText({ dueAt: 9_000 }, 4_000), 'due in 5 s')
  assert.is(dueText({ dueAt: 4_000 }, 4_000), 'due now')
  assert.is(dueText({ dueAt: null }, 4_000), 'no deadline')
})

Modules('the text of a step has the states that were left and entered, without unchanged regions', () => {
  const before = ['active.attempts.open', 'active.challenge.none']
  const to = (...states: string[]) => moveText({ before, actor: { states } })
  assert.is(to('active.attempts.open', 'active.challenge.pending'), 'challenge · none → challenge · pending')
  assert.is(to(...before), 'stays')
  assert.is(moveText({ before: ['DONE'], actor: null }), 'DONE → forgotten')
})

Modules('the text of an account contains its unusual states', () => {
  const account = (...states: string[]) => standingText({ chart: 'login', status: 'active', states })
  assert.is(account('active.attempts.open', 'active.challenge.none'), 'active')
  assert.is(
    account('active.attempts.blocked', 'active.commitment.pendingV2'),
    'active, attempts · blocked, commitment · pendingV2',
  )
  assert.is(standingText({ chart: 'session', status: 'CONNECTED', states: [] }), 'closed')
})

Modules('a timer has the name of its delay, and a fact is shown in its unit', () => {
  assert.is(eventName('xstate.after.timeout.session.INITIALIZED'), 'after timeout')
  assert.is(eventName('app.connected'), 'app.connected')
  assert.is(factText('timeoutMs', 300_000), '5 min')
  assert.is(factText('deadlineAt', 86_400_000), timeText(86_400_000))
  assert.is(factText('blockedUntil', 0), 'none')
  assert.is(factText('claim', null), 'none')
  assert.is(factText('hasCallback', true), 'yes')
  assert.is(factText('comparing', [3, 4]), '3, 4')
})

/** Timers of the page. The test fires them one by one. */
function withTimers(use: (next: () => void) => void): void {
  const waiting = new Map<number, () => void>()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  Object.assign(globalThis, {
    setTimeout: (act: () => void) => waiting.set(waiting.size + 1, act) && waiting.size,
    clearTimeout: (timer: number) => waiting.delete(timer),
  })
  try {
    use(() => {
      const [[timer, act] = []] = waiting
      if (timer === undefined) return
      waiting.delete(timer)
      act?.()
    })
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
  }
}

Modules('every step is lit in its turn for a moment, and the oldest of too many steps are skipped', () =>
  withTimers(next => {
    const beats = new Beats(() => {})
    beats.begin(['first'])
    for (let i = 1; i <= 22; i++) beats.add({ actor: { states: [`step ${i}`] }, edges: [] })
    const lit = Array.from({ length: 22 }, () => {
      const [state] = beats.lit.states
      next()
      return state
    })
    const meant = Array.from({ length: 20 }, (_, i) => `step ${i + 3}`)
    assert.equal(lit, ['first', ...meant, 'step 22'])
    beats.add({ actor: { states: ['late'] }, edges: [] })
    assert.equal(beats.lit.states, ['late'], 'if no step waits, a new one is lit at once')
  }),
)

Modules.run()
