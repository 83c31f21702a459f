/** TLS certificates of the listeners: their files are read again every 20 s, and when the process is asked to. New connections get the new certificate, and
 *  open ones continue. Files that cannot be used are logged and have no other effect. @module */
import type { HttpServer } from '../../http/http-server.ts'
import type { Tls } from '../../http/settings.ts'
import type { OnClose } from '../closable.ts'
import type { World } from '../world.ts'
import { repeatedLook } from './repeated-look.ts'

/** `client`: the separate listener of wallet apps and frontends. */
type ListenerName = 'main' | 'client'
type Renewed = Pick<HttpServer, 'renewTls'>

export type Certificates = {
  /** null: plain HTTP */
  readonly current: (listener: ListenerName) => Tls | null
  /** From now on this listener gets each new certificate. */
  readonly serve: (listener: ListenerName, server: Renewed) => void
  /** Reads the files now. */
  readonly readAgain: () => void
}

export function createCertificates(
  first: Readonly<Record<ListenerName, Tls | null>>,
  { clock, log }: Pick<World, 'clock' | 'log'>,
  onClose: OnClose,
): Certificates {
  const current = new Map<ListenerName, Tls | null>([
    ['main', first.main],
    ['client', first.client],
  ])
  const served = new Map<ListenerName, Renewed>()
  const problems = new Problems(log)
  const look = (isAsked: boolean): void => {
    for (const [listener, server] of served) {
      const tls = current.get(listener)
      if (!tls?.reread) continue
      try {
        const next = tls.reread()
        if (next.cert !== tls.cert || next.key !== tls.key) {
          server.renewTls(next)
          current.set(listener, next)
          log.info({ listener, cause: isAsked ? 'asked' : 'changed' }, 'TLS certificate replaced')
        }
        problems.end(listener)
      } catch (error) {
        problems.note(listener, error, isAsked)
      }
    }
  }
  const timer = repeatedLook(clock, () => look(false))
  onClose(() => timer.stop())
  return {
    current: listener => current.get(listener) ?? null,
    serve(listener, server) {
      served.set(listener, server)
      if (current.get(listener)?.reread) timer.start()
    },
    readAgain: () => look(true),
  }
}

/** Logs one warning for each cause. The first look that fails is not logged: certificate and key are two files, and one may be written before the other. */
class Problems {
  readonly #log: Pick<World['log'], 'warn'>
  readonly #seen = new Map<ListenerName, { readonly words: string; readonly isLogged: boolean }>()

  constructor(log: Pick<World['log'], 'warn'>) {
    this.#log = log
  }

  note(listener: ListenerName, error: unknown, isAsked: boolean): void {
    const words = error instanceof Error ? error.message : String(error)
    const before = this.#seen.get(listener)
    const isLogged = before?.isLogged === true && before.words === words
    const isDue = !isLogged && (isAsked || before !== undefined)
    this.#seen.set(listener, { words, isLogged: isLogged || isDue })
    if (isDue) this.#log.warn({ listener }, `${words}; the TLS certificate from before stays in use`)
  }

  end(listener: ListenerName): void {
    this.#seen.delete(listener)
  }
}
