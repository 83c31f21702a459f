/** Recorded exchanges as texts, in either profile: `svc` is the recording after a fixed renaming (spec/decisions#recorded). @module */
import type { ProfileName } from '../../protocol/profiles.ts'
import { readVector } from '../project.ts'

export type Exchange = {
  readonly n: number
  readonly note?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly raw?: string
  }
  /** null if only our own answer counts */
  readonly response: { readonly status: number; readonly body?: unknown; readonly raw?: string } | null
}

export type Transcript = {
  readonly recordedAt: number
  readonly server: { readonly url: string }
  readonly exchanges: readonly Exchange[]
}

const RENAMED = [
  ['https://irma.app/', 'https://svc.example/'],
  ['/irma/', '/svc/'],
  ['irmaqr', 'svcqr'],
] as const

export function transcript(name: string, profile: ProfileName): Transcript {
  const text = JSON.stringify(readVector(`transcripts/${name}.json`))
  const renamed =
    profile === 'irma' ? text : RENAMED.reduce((all, [from, to]) => all.replaceAll(from, to), text)
  return JSON.parse(renamed)
}

/** The text of a body: as recorded, or written again in its original form; empty if there was none. */
export function bodyText(message: { readonly body?: unknown; readonly raw?: string }): string {
  return message.raw ?? ('body' in message ? JSON.stringify(message.body) : '')
}

/** Every answered exchange of these files that posts to such a path. */
export function recordedPosts(names: readonly string[], path: '/proofs' | '/commitments'): Exchange[] {
  return names
    .flatMap(name => transcript(name, 'irma').exchanges)
    .filter(({ request, response }) => request.path.endsWith(path) && response !== null)
}
