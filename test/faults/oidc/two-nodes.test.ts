/** Two nodes of an OpenID provider on one PostgreSQL database, each its own process, which are killed. Every code is sent to both at once. No code is used twice,
 *  and each login that the browser repeats succeeds. For a longer run: `LOGINS=500 node dist/test/faults/oidc/two-nodes.test.js` after a build. @module */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../../ports/clock.ts'
import { openStore } from '../../../stores/open.ts'
import { recordsOn } from '../../actors/oidc/nodes.ts'
import { endProcess } from '../../end-process.ts'
import { numberGiven } from '../../number-given.ts'
import { inTime, pause } from '../../patience.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { randomFrom } from '../seeded-random.ts'
import type { Answer } from './node-process.ts'

const LOGINS = numberGiven('LOGINS', 60)
/** logins at once */
const BATCH = 6
const program = fileURLToPath(new URL(`./node-process${import.meta.url.slice(-3)}`, import.meta.url))

type CodeOutcome = Answer['outcome'] | 'killed'

/** A node, which is started again after a kill. */
class Node {
  readonly #address: string
  readonly #name: string
  #child: ChildProcess | null = null
  #starts = 0
  readonly #waiting = new Map<string, (outcome: CodeOutcome) => void>()
  /** the ids of keys that it published, in order: the signing one, then the next one */
  readonly kids: (readonly string[])[] = []

  constructor(address: string, name: string) {
    this.#address = address
    this.#name = name
  }

  async start(): Promise<void> {
    const child = fork(program, [this.#address, `boot ${this.#name} ${++this.#starts}`])
    const ready = new Promise<CodeOutcome>(resolve => this.#waiting.set('', resolve))
    child.on('message', ({ code, outcome, kids }: Answer) => {
      this.kids.push(kids)
      this.#end(code ?? '', outcome)
    })
    child.once('exit', () => {
      for (const code of [...this.#waiting.keys()]) this.#end(code, 'killed')
    })
    this.#child = child
    assert.is(await inTime(ready, `node ${this.#name}`), 'unknown')
  }

  use(code: string): Promise<CodeOutcome> {
    if (!this.#child?.connected) return Promise.resolve('killed')
    const answered = new Promise<CodeOutcome>(resolve => this.#waiting.set(code, resolve))
    this.#child.send(code, error => error && this.#end(code, 'killed'))
    return inTime(answered, `an answer of node ${this.#name} or its end`)
  }

  kill(): Promise<void> {
    return endProcess(this.#child, 'SIGKILL')
  }

  #end(code: string, outcome: CodeOutcome): void {
    this.#waiting.get(code)?.(outcome)
    this.#waiting.delete(code)
  }
}

const TwoNodes = suite('two nodes of an OpenID provider that are killed')
const test = isMissing('PostgreSQL', hasPostgres) ? TwoNodes.skip : TwoNodes

test(`of ${LOGINS} logins none is lost, and no code is used twice`, async () => {
  const address = await newPostgresDatabase()
  const store = await openStore(address, 'boot of the test')
  const codes = recordsOn(store, createSystemClock()).adapterFor('AuthorizationCode')
  const nodes = [new Node(address, 'A'), new Node(address, 'B')] as const
  await Promise.all(nodes.map(node => node.start()))
  const random = randomFrom(34)

  /** @returns true if the login has succeeded; false: the browser repeats it with another code */
  const login = async (code: string): Promise<boolean> => {
    await codes.upsert(code, { grantId: `grant of ${code}` }, 60)
    const outcomes = await Promise.all(nodes.map(node => node.use(code)))
    const uses = outcomes.filter(outcome => outcome === 'consumed').length
    const isConsumed = (await codes.find(code))?.consumed !== undefined
    assert.ok(uses <= 1, `${code} was used ${uses} times`)
    if (uses === 1 || outcomes.includes('refused'))
      assert.ok(isConsumed, `${code} is ${outcomes} but not consumed`)
    if (isConsumed && uses === 0)
      assert.ok(outcomes.includes('killed') || outcomes.includes('unknown'), `${outcomes}`)
    if (!isConsumed) assert.ok(outcomes.every(outcome => outcome !== 'consumed'))
    return uses === 1
  }
  const untilLoggedIn = async (name: string): Promise<void> => {
    for (let n = 1; !(await login(`${name}, code ${n}`)); n++);
  }

  try {
    for (let i = 0; i < LOGINS; i += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, n) => untilLoggedIn(`login ${i + n}`))
      const victim = nodes[random() < 0.5 ? 0 : 1]
      await pause(random() * 12)
      await victim.kill()
      await victim.start()
      await Promise.all(batch)
    }
    assertOneChain(nodes.flatMap(({ kids }) => kids))
  } finally {
    await Promise.all(nodes.map(node => node.kill()))
    await store.close()
  }
})

/** Each key has one successor and one predecessor on all nodes: no rotation was made twice. A key that signed between two answers is not seen. */
function assertOneChain(published: readonly (readonly string[])[]): void {
  const successors = new Map<string, string>()
  const predecessors = new Map<string, string>()
  for (const [current = '', next = ''] of published) {
    assert.is(successors.get(current) ?? next, next, 'a key has two successors')
    assert.is(predecessors.get(next) ?? current, current, 'a key has two predecessors')
    successors.set(current, next)
    predecessors.set(next, current)
  }
  assert.ok(successors.size > 1, 'no key was rotated')
}

TwoNodes.run()
