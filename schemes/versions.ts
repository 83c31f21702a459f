/** The schemes of a server that runs: the newest version of each, and those that sessions began with. A new version comes whole (`take`); whoever looks meanwhile sees
 *  the old ones or the new ones. @module */
import { snapshot } from './snapshot.ts'
import type { Scheme, SchemeContent, Schemes } from './types.ts'
import { type SignedTimes, signedTimesOf } from './version-text.ts'

/** The most versions that were replaced, and the most mixtures of versions, that stay in memory; others are read again. */
const MAX_IN_MEMORY = 4

export type VersionsDeps = {
  /** Reads a version of a scheme that was replaced, if it was kept.
   *  @param folder place of the scheme */
  readonly readKept: (folder: string, timestampSec: number) => Promise<SchemeContent | null>
  /** Looks for newer versions than are known; it may be in vain. */
  readonly lookAgain: () => Promise<void>
  /** hears of a version of a scheme that a session began with and that is nowhere: the newest one stands in for it */
  readonly noteMissing: (scheme: string, timestampSec: number) => void
}

export type Versions = {
  /** as they are at each look */
  readonly now: Schemes
  /** As a session began with them.
   *  @param version of `Schemes` then; undefined: nobody wrote it down, and the newest are meant */
  asOf(version: string | undefined): Promise<Schemes>
  /** From now on this version of its scheme is the newest. */
  take(content: SchemeContent): void
  /** @param hear of every version that is taken from now on */
  watch(hear: (scheme: Scheme) => void): void
}

export function createVersions(first: Schemes, deps: VersionsDeps): Versions {
  let current = first
  const replaced = new Map<string, SchemeContent>()
  const mixed = new Map<string, Promise<Schemes>>()
  const watchers: ((scheme: Scheme) => void)[] = []

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
    if (!isRight) mixed.delete(version) // it may be there the next time
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
      for (const hear of watchers) hear(content.scheme)
    },
    watch: hear => void watchers.push(hear),
  }
}

/** Whether a scheme was newer then than it is now: another node was brought up to date first. */
function isBehind({ contents }: Schemes, times: SignedTimes): boolean {
  return contents.some(({ scheme: { id, timestampSec } }) => (times.get(id) ?? timestampSec) > timestampSec)
}

/** The oldest entry makes room. */
function remember<Value>(all: Map<string, Value>, key: string, value: Value): void {
  all.delete(key)
  all.set(key, value)
  const [oldest] = all.keys()
  if (all.size > MAX_IN_MEMORY && oldest !== undefined) all.delete(oldest)
}

/** Each lookup is in what is current then. */
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
