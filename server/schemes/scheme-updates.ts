/** Updates the schemes of a running server (spec/schemes-and-cli#11.4): it decides when to look and which versions to use, and logs the outcome. A failure of
 *  one scheme changes neither that scheme nor the others. @module */
import { pause } from '../../ports/clock.ts'
import { SchemeError } from '../../schemes/scheme-error.ts'
import { snapshot } from '../../schemes/snapshot.ts'
import type { SchemeContent, Schemes } from '../../schemes/types.ts'
import type { Versions } from '../../schemes/versions.ts'
import { SettingsError } from '../settings/errors.ts'
import type { World } from '../world.ts'
import { LOOK_EVERY_MS, waitBriefly } from './brief-look.ts'
import type { UpdateFigures } from './figures.ts'
import type { SchemeThreads } from './threads.ts'
import type { SchemeFolders, UpdateOutcome } from './update-job.ts'

export type UpdateSettings = SchemeFolders & {
  /** between the end of one run and the beginning of the next; 0: no server of a scheme is ever asked */
  readonly everyMs: number
  /** Checks the settings against the schemes that would be in use after an update.
   *  @throws {SettingsError} @throws {SchemeError} */
  readonly check: (schemes: Schemes) => void
}

export type UpdatesDeps = Pick<World, 'clock' | 'log'> & {
  readonly settings: UpdateSettings
  readonly versions: Pick<Versions, 'now' | 'take'>
  readonly threads: Pick<SchemeThreads, 'update'>
  readonly figures?: UpdateFigures | undefined
}

export class SchemeUpdates {
  readonly #deps: UpdatesDeps
  readonly #stop = new AbortController()
  /** the versions that were approved and may be used, by folder */
  readonly #found = new Map<string, SchemeContent>()
  /** by folder: the logged failure and its scheme; empty: the scheme is not known yet */
  readonly #reported = new Map<string, { readonly scheme: string; readonly reason: string }>()
  #lastBeganAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | null = null

  constructor(deps: UpdatesDeps) {
    this.#deps = deps
  }

  /** Runs at once, and again `everyMs` after the end of each run. */
  async begin(): Promise<void> {
    const { clock, settings } = this.#deps
    for (; !this.#stop.signal.aborted; await pause(clock, settings.everyMs, this.#stop.signal))
      await this.#run()
  }

  /** Runs now, unless a run began in the last minute. Waits for the run, but at most 1 s. */
  async lookAgain(): Promise<void> {
    const { clock } = this.#deps
    if (this.#running === null && clock.now() - this.#lastBeganAt < LOOK_EVERY_MS) return
    await waitBriefly(clock, this.#run())
  }

  /** @returns the schemes at which the last look failed */
  failing(): readonly string[] {
    return [...this.#reported.values()].map(({ scheme }) => scheme).filter(scheme => scheme !== '')
  }

  close(): void {
    this.#stop.abort()
  }

  #run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #runOnce(): Promise<void> {
    const { settings, versions, threads, clock, log } = this.#deps
    this.#lastBeganAt = clock.now()
    this.#found.clear()
    const known = versions.now.contents.map(({ folder, scheme: { id, url, timestampSec } }) => ({
      folder,
      id,
      url,
      timestampSec,
    }))
    const { path, privateKeys, everyMs } = settings
    const listener = { approve: this.#approve, notify: this.#told }
    try {
      await threads.update({ path, privateKeys, known, mayDownload: everyMs > 0 }, listener)
    } catch (error) {
      log.error({ err: error }, 'schemes could not be brought up to date')
    }
  }

  readonly #approve = (content: SchemeContent): string | null => {
    const { settings, versions, log } = this.#deps
    const { contents, ignored } = versions.now
    const { id } = content.scheme
    const twin = contents.find(({ scheme, folder }) => scheme.id === id && folder !== content.folder)
    if (twin) return `scheme "${id}" is in another folder too: ${twin.folder}`
    try {
      settings.check(snapshot([...contents.filter(({ scheme }) => scheme.id !== id), content], ignored))
    } catch (error) {
      if (error instanceof SettingsError || error instanceof SchemeError)
        return `the settings do not allow it: ${error.message}`
      log.error({ err: error }, 'the settings could not be checked against a new version of a scheme')
      return 'the settings could not be checked against it; the log says more'
    }
    this.#found.set(content.folder, content)
    return null
  }

  readonly #told = (outcome: UpdateOutcome): void => {
    const { figures, log } = this.#deps
    const { scheme, folder, type } = outcome
    if (type === 'failed') {
      this.#report(outcome)
      return
    }
    if (type === 'taken') this.#take(folder, outcome.warnings)
    figures?.checked(scheme)
    if (this.#reported.delete(folder)) log.info({ scheme, folder }, 'scheme is up to date again')
  }

  #take(folder: string, warnings: readonly string[]): void {
    const content = this.#found.get(folder)
    if (content === undefined || this.#stop.signal.aborted) return
    const { versions, figures, log } = this.#deps
    const { id, timestampSec: signedAtSec } = content.scheme
    const before = versions.now.scheme(id)?.timestampSec
    versions.take(content)
    figures?.taken(id)
    log.info({ scheme: id, signedAtSec, before, warnings }, 'scheme brought up to date')
  }

  #report({ scheme, folder, cause, reason }: Extract<UpdateOutcome, { readonly type: 'failed' }>): void {
    const { figures, log } = this.#deps
    figures?.failed(scheme, cause)
    if (this.#reported.get(folder)?.reason === reason) return
    this.#reported.set(folder, { scheme, reason })
    log.warn(
      { scheme, cause, reason },
      cause === 'older'
        ? 'a scheme was rolled back at its server: the older version is refused, the newer one stays in use'
        : 'scheme could not be brought up to date: the version from before stays in use',
    )
  }
}
