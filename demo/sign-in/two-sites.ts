/** The step of the tour with an OpenID provider and two sites. They start at the first click, because a provider makes its signing keys then. @module */
import { tmpdir } from 'node:os'
import { type Closable, type OnClose, opened } from '../../server/closable.ts'
import { createScreen, type VersionedState } from '../screen.ts'
import type { OpenSites, OpenSitesOptions } from './open-sites.ts'
import type { Claims } from './site.ts'

/** The sites, each with the claims of its last login; null: none yet. */
export type TwoSitesState = {
  readonly sites: readonly {
    readonly name: string
    readonly address: string
    readonly claims: Claims | null
  }[]
  /** both have signed in a user over 18, whom they know by different values of `sub` */
  readonly isDone: boolean
}

export type TwoSites = {
  /** Starts the provider and the sites, unless they run. Earlier logins are forgotten. */
  open(): Promise<void>
  /** of the provider, without a slash at the end; null: it has not started */
  issuer(): string | null
  /** as `Screen.next` */
  next(after: number, ms: number): Promise<VersionedState<TwoSitesState>>
  /** Called when the tour begins again. */
  forget(): void
}

type Options = Omit<OpenSitesOptions, 'dataDir'> & { readonly dataDir?: string | undefined }

export function twoSites({ dataDir = tmpdir(), ...options }: Options, onClose: OnClose): TwoSites {
  const screen = createScreen<TwoSitesState>({ sites: [], isDone: false }, options.clock)
  const claimsOf = new Map<string, Claims>()
  let opening: Promise<Closable<OpenSites>> | null = null
  let running: OpenSites | null = null
  const show = (): void => screen.show(stateOf(running?.sites ?? [], claimsOf))
  const signedIn = (name: string, claims: Claims): void => {
    claimsOf.set(name, claims)
    show()
  }
  const forget = (): void => {
    claimsOf.clear()
    show()
  }
  async function start(): Promise<Closable<OpenSites>> {
    const { openSites } = await import('./open-sites.ts')
    return opened(closing => openSites({ ...options, dataDir }, signedIn, closing))
  }
  onClose(async () => {
    const [started] = await Promise.allSettled([opening])
    if (started.status === 'fulfilled') await started.value?.close()
  })
  return {
    async open() {
      opening ??= start()
      try {
        const { whole } = await opening
        running = whole
      } catch (error) {
        opening = null // another click tries again
        throw error
      }
      forget()
    },
    issuer: () => running?.issuer ?? null,
    next: screen.next,
    forget,
  }
}

/** @param claimsOf by the name of the site */
export function stateOf(sites: OpenSites['sites'], claimsOf: ReadonlyMap<string, Claims>): TwoSitesState {
  const shown = sites.map(site => ({ ...site, claims: claimsOf.get(site.name) ?? null }))
  const subs = new Set(shown.map(({ claims }) => claims?.sub))
  const areIn = shown.length > 0 && shown.every(({ claims }) => claims?.over18 === true)
  return { sites: shown, isDone: areIn && subs.size === shown.length }
}
