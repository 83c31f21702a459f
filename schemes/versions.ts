/** The schemes of a running server: the newest version of each, and the versions that sessions began with. `take` replaces a scheme at once, so a
 *  lookup sees either the old or the new version. @module */
import { snapshot } from './snapshot.ts'
import type { Scheme, SchemeContent, Schemes } from './types.ts'
import { type SignedTimes, signedTimesOf } from './version-text.ts'

/** The maximum number of replaced versions in memory, and of combinations of versions. Others are read again. */
const MAX_IN_MEMORY = 4

export type VersionsDeps = {
  /** Reads a replaced version of a scheme, if it was kept.
   *  @param folder regular folder of the scheme */
  readonly readKept: (folder: string, timestampSec: number) => Promise<SchemeContent | null>
  /** Looks for newer versions than the known ones; it may find none. */
  readonly lookAgain: () => Promise<void>
  /** called if a version that a session began with cannot be found; the newest one is used in its place */
  readonly noteMissing: (scheme: string, timestampSec: number) => void
}

export type Versions = {
  /** the current schemes; each lookup uses the newest version */
  readonly now: Schemes
  /** The schemes that a session began with.
   *  @param version `Schemes.version` at that time; undefined: it was not stored, and the newest schemes are used */
  asOf(version: string | undefined): Promise<Schemes>
  /** Makes this version the newest one of its scheme. */
  take(content: SchemeContent): void
  /** Calls `hear` for every version that `take` gets from now on. */
  follow(notify: (scheme: Scheme) => void): void
}

export function createVersions(first: Schemes, deps: VersionsDeps): Versions {
  let current = first
  const replaced = new Map<string, SchemeContent>()
  const mixed = new Map<string, Promise<Schemes>>()
  const followers: ((scheme: Scheme) => void)[] = []

  async function contentAsOf(content: SchemeContent, seconds: number): Promise<SchemeContent> {
    const { id, timestampSec } = content.scheme
    if (timestampSec === seconds) return content
    const known = replaced.get(`${id}@${seconds}`) ?? (await deps.readKept(content.folder, seconds))
    if (known?.scheme.id === id && known.scheme.timestampSec === seconds) return known
    deps.noteMissing(id, seconds)
    return content
  }

  async function mixture(times: SignedTimes): Promise<Schemes> {
    if (isBehind(current, times)) await deps.lookAgain()
    const { contents, ignored } = current
    const then = contents.flatMap(content => {
      const seconds = times.get(content.scheme.id)
      return seconds === undefined ? [] : [contentAsOf(content, seconds)]
    })
    return snapshot(await Promise.all(then), ignored)
  }

  async function asOf(version: string | undefined): Promise<Schemes> {
    if (version === undefined || version === current.version) return current
    const known = mixed.get(version)
    if (known) return known
    const made = mixture(signedTimesOf(version))
    remember(mixed, version, made)
    const isRight = await made.then(({ version: got }) => got === version).catch(() => false)
    if (!isRight) mixed.delete(version) // the version may be available the next time
    return made
  }

  return {
    now: live(() => current),
    asOf,
    take(content) {
      const { id } = content.scheme
      const others = current.contents.filter(({ scheme }) => scheme.id !== id)
      const before = current.contents.find(({ scheme }) => scheme.id === id)
      if (before) remember(replaced, `${id}@${before.scheme.timestampSec}`, before)
      current = snapshot([...others, content], current.ignored)
      for (const notify of followers) notify(content.scheme)
    },
    follow: notify => void followers.push(notify),
  }
}

/** True if a scheme of the session is newer than the current one, because another node was updated first. */
function isBehind({ contents }: Schemes, times: SignedTimes): boolean {
  return contents.some(({ scheme: { id, timestampSec } }) => (times.get(id) ?? timestampSec) > timestampSec)
}

/** Evicts the oldest entry if there are too many. */
function remember<Value>(all: Map<string, Value>, key: string, value: Value): void {
  all.delete(key)
  all.set(key, value)
  const [oldest] = all.keys()
  if (all.size > MAX_IN_MEMORY && oldest !== undefined) all.delete(oldest)
}

/** Each lookup uses the snapshot that is current at that moment. */
function live(current: () => Schemes): Schemes {
  return {
    get version() {
      return current().version
    },
    get contents() {
      return current().contents
    },
    get schemes() {
      return current().schemes
    },
    get ignored() {
      return current().ignored
    },
    scheme: id => current().scheme(id),
    issuer: id => current().issuer(id),
    credentialType: id => current().credentialType(id),
    attributeType: id => current().attributeType(id),
    credentialTypeByHash: hex => current().credentialTypeByHash(hex),
    publicKey: (issuer, counter) => current().publicKey(issuer, counter),
    privateKey: (issuer, counter) => current().privateKey(issuer, counter),
    latestPrivateKey: issuer => current().latestPrivateKey(issuer),
    groupOf: scheme => current().groupOf(scheme),
  }
}
