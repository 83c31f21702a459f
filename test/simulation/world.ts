/** Everything in one simulation: the machines and their processes, the store, the network, the receivers of posts, and the history. @module */
import type { Fetch } from '../../ports/fetch.ts'
import { answerOf, digestOf } from '../history/answers.ts'
import type { HistoryLine, PostLine } from '../history/lines.ts'
import { countingRandomness } from '../http/harness.ts'
import { type ClusterNode, type Outside, startClusterNode } from './cluster-node.ts'
import { ClusterStore, type Link, linkOf, type Witness } from './cluster-store.ts'
import { accountRandomness, startKeyshareNode } from './keyshare-node.ts'
import { Network } from './network.ts'
import { KEYSHARES, NODES, type NodeName, type Plan } from './plan.ts'
import { PostsSeen } from './posts-seen.ts'
import { type Dial, Process } from './process.ts'
import { Random } from './random.ts'
import { FOLLOWING, NEXT } from './requests.ts'
import { Schedule } from './schedule.ts'

export const START_AT = Date.UTC(2026, 5, 1)

/** A machine. Its processes run one after the other. */
export type Machine = {
  readonly name: NodeName
  readonly link: Link
  readonly dial: Dial
  process: Process | null
  node: ClusterNode | null
  /** processes started so far */
  starts: number
  /** number of threads that die next */
  deaths: number
  /** current faults of the machine */
  troubles: number
}

export class World {
  readonly schedule = new Schedule(START_AT)
  readonly history: HistoryLine[] = []
  /** broken laws that are visible only from inside */
  readonly wrong: string[] = []
  readonly machines: ReadonlyMap<NodeName, Machine>
  readonly network = new Network(this.schedule, name => this.#nodeAt(name))
  readonly store: ClusterStore
  /** the store of the keyshare servers */
  readonly accounts: ClusterStore
  /** the reaction of receivers to posts */
  receivers: 'accept' | 'refuse' | 'do not answer' = 'accept'
  readonly #seed: number
  readonly #random = countingRandomness()
  readonly #accountRandom = accountRandomness()
  readonly #receiver: Random
  readonly posts = new PostsSeen(line => this.write(line))
  #signatures = 0

  constructor({ seed, skews, drifts, logins }: Pick<Plan, 'seed' | 'skews' | 'drifts' | 'logins'>) {
    this.#seed = seed
    this.#receiver = new Random(seed, 'receivers')
    const witness: Witness = (_commit, process, isAlive) => {
      if (!isAlive) this.wrong.push(`node ${process.node}: a commit after the end of its lease`)
    }
    this.store = new ClusterStore(this.schedule, witness)
    this.accounts = new ClusterStore(this.schedule, witness)
    const machineOf = (name: NodeName, i: number): readonly [NodeName, Machine] => [
      name,
      {
        name,
        link: linkOf(new Random(seed, `link ${name}`)),
        dial: { skewMs: skews[i] ?? 0, drift: drifts[i] ?? 0, setMs: 0 },
        process: null,
        node: null,
        starts: 0,
        deaths: 0,
        troubles: 0,
      },
    ]
    this.machines = new Map([...NODES, ...(logins.length > 0 ? KEYSHARES : [])].map(machineOf))
  }

  machine(name: NodeName): Machine {
    const machine = this.machines.get(name)
    if (!machine) throw new TypeError(`expected a machine, got ${name}`)
    return machine
  }

  write = (line: HistoryLine): void => {
    this.history.push(line)
  }

  /** Begins a fault of a node.
   *  @returns a function that ends it; the node is well again if no other fault remains */
  trouble(machine: Machine, why: string): () => void {
    const tell = (isWell: boolean): void =>
      this.write({ what: 'node', node: machine.name, at: this.schedule.now, isWell, why })
    machine.troubles += 1
    tell(false)
    return () => {
      machine.troubles -= 1
      if (machine.troubles === 0) tell(true)
    }
  }

  /** Starts a process on that machine, unless one runs there.
   *  @returns true if it listens */
  async start(machine: Machine): Promise<boolean> {
    if (machine.process !== null && machine.process.fate !== 'is gone') return false
    machine.starts += 1
    const { name, dial } = machine
    const random = new Random(this.#seed, `${name} ${machine.starts}`)
    const process = new Process(name, machine.starts, this.schedule, random, dial)
    machine.process = process
    machine.node = null
    const node = await Promise.race([this.#nodeOn(machine, process), process.gone()])
    if (node === null) return false
    machine.node = node
    return true
  }

  async #nodeOn(machine: Machine, process: Process): Promise<ClusterNode> {
    const outside = this.#outside(machine)
    if (isSessionServer(machine.name))
      return startClusterNode(process, await this.store.open(process, machine.link), outside)
    const store = await this.accounts.open(process, machine.link)
    return startKeyshareNode(process, store, outside, this.#accountRandom)
  }

  #nodeAt(name: NodeName): ClusterNode | null {
    const { node } = this.machine(name)
    return node?.process.fate === 'is gone' ? null : node
  }

  #outside(machine: Machine): Outside {
    return {
      random: this.#random,
      fetch: process => this.#fetchOf(process),
      failed: ({ node }, what) => {
        if (!isExcused(what)) this.wrong.push(`node ${node}: ${what}`)
      },
      hasDied: () => {
        machine.deaths -= 1
        return machine.deaths >= 0
      },
      signature: () => ++this.#signatures,
    }
  }

  /** A call of a node to a receiver, and its answer. */
  #fetchOf(process: Process): Fetch {
    return (url, { headers, body, signal } = {}) =>
      new Promise((resolve, reject) => {
        const abort = (): void => reject(new TypeError('aborted'))
        signal?.addEventListener('abort', abort)
        if (!process.acts()) return
        this.schedule.after(this.#receiver.between(0.5, 6), () => {
          const answered = this.#receive(String(url), keyIn(headers), String(body))
          if (answered === null) return
          process.after(this.#receiver.between(0.5, 6), () => resolve(new Response(answered.text, answered)))
        })
      })
  }

  #receive(
    url: string,
    key: string,
    body: string,
  ): { readonly status: number; readonly text: string | null } | null {
    const isNext = url === NEXT
    const how = this.receivers
    const line: Omit<PostLine, 'session'> = {
      what: isNext ? 'next' : 'callback',
      at: this.schedule.now,
      key,
      body: digestOf(body),
      says: answerOf(200, body).says,
      answered: how === 'accept' ? 'accepted' : how === 'refuse' ? 'refused' : 'cut',
    }
    this.posts.seen(JSON.parse(body).token, line)
    if (how === 'do not answer') return null
    if (how === 'refuse') return { status: 500, text: null }
    return { status: 200, text: isNext ? FOLLOWING : null }
  }
}

/** @returns '' if there is none */
function keyIn(headers: RequestInit['headers']): string {
  return Object(headers)['Idempotency-Key'] ?? ''
}

function isSessionServer(name: NodeName): boolean {
  return NODES.some(each => each === name)
}

/** True for a log line that a fault of the simulation causes. */
function isExcused(what: string): boolean {
  return /the worker died/.test(what)
}
