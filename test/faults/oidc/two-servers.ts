/** Two processes of `svc oidc` on one PostgreSQL database, with one issuer, and the way of browsers, sites and wallet apps to them. @module */
import { freePort, type Running } from '../../cli/run-svc.ts'
import { endProcess } from '../../end-process.ts'
import { pause, untilThere } from '../../patience.ts'
import { ISSUER } from '../../server/oidc/node.ts'
import { startOidc } from '../../server/oidc/process.ts'

const PAUSE_MS = 50

/** A node, which is started again after a kill. */
class Server {
  readonly origin: string
  readonly #port: number
  readonly #store: string
  #running: Running | null = null

  /** @param store its address */
  constructor(port: number, store: string) {
    this.origin = `http://127.0.0.1:${port}`
    this.#port = port
    this.#store = store
  }

  async start(): Promise<void> {
    this.#running = await startOidc(this.#port, { store: this.#store })
  }

  kill(): Promise<void> {
    return endProcess(this.#running?.process ?? null, 'SIGKILL')
  }
}

export class TwoServers {
  readonly #servers: readonly Server[]
  readonly #random: () => number
  #kills = 0
  /** number of nodes that do not run now */
  #down = 0

  private constructor(servers: readonly Server[], random: () => number) {
    this.#servers = servers
    this.#random = random
  }

  /** @param random decides which node gets a call, and which one is killed */
  static async start(store: string, random: () => number): Promise<TwoServers> {
    const servers = [new Server(await freePort(), store), new Server(await freePort(), store)]
    for (const server of servers) await server.start()
    return new TwoServers(servers, random)
  }

  /** The number of kills until now. */
  get kills(): number {
    return this.#kills
  }

  /** true: both nodes run */
  get isWhole(): boolean {
    return this.#down === 0
  }

  /** Reaches either node under the issuer. A call that a node does not answer, because it was killed or has just started, is repeated with the same bytes at
   *  either node.
   *  @throws {Error} if a call breaks off without a kill */
  readonly reach: typeof fetch = (url, init) => {
    const tryOnce = async (): Promise<Response | null> => {
      const kills = this.isWhole ? this.#kills : null
      const { origin } = this.#one()
      try {
        const answer = await fetch(String(url).replace(ISSUER, origin), init)
        if (answer.status === 503) return null
        // a node may die in the middle of its answer
        return isStream(answer) ? answer : new Response(bodyOf(answer, await answer.arrayBuffer()), answer)
      } catch (error) {
        if (this.#kills === kills) throw error
        return null
      }
    }
    return untilThere(tryOnce, `an answer of ${url}`, () => pause(PAUSE_MS))
  }

  async killOne(): Promise<void> {
    this.#kills += 1
    this.#down += 1
    const victim = this.#one()
    await victim.kill()
    await victim.start()
    this.#down -= 1
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map(server => server.kill()))
  }

  #one(): Server {
    const [a, b] = this.#servers
    if (a === undefined || b === undefined) throw new Error('expected two nodes')
    return this.#random() < 0.5 ? a : b
  }
}

function isStream({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('text/event-stream') ?? false
}

/** Answers such as 204 have no body. */
function bodyOf({ status }: Response, bytes: ArrayBuffer): ArrayBuffer | null {
  return [204, 205, 304].includes(status) ? null : bytes
}
