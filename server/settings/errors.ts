/** The errors of settings: a line for each reason, with expected and got, for the person who starts the program. @module */
import { SchemeError } from '../../schemes/scheme-error.ts'

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly reasons: readonly string[]

  constructor(reasons: string | readonly string[], options?: ErrorOptions) {
    const all = typeof reasons === 'string' ? [reasons] : [...new Set(reasons)]
    super(all.join('\n'), options)
    this.reasons = all
  }
}

/** A refused value in a flag. It is an error in the usage of the command, and not in the settings. */
export class FlagError extends SettingsError {}

/** Collects refused settings, so that one start or check reports all of them. */
export class Refusals {
  readonly #errors: (SettingsError | SchemeError)[] = []

  /** Runs `read`, and collects its refusal.
   *  @returns undefined if `read` refused the settings
   *  @throws every other error */
  of<Result>(read: () => Result): Result | undefined {
    try {
      return read()
    } catch (error) {
      this.add(error)
      return undefined
    }
  }

  /** As `of`, for asynchronous work. */
  async ofLater<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read()
    } catch (error) {
      this.add(error)
      return undefined
    }
  }

  /** @throws the error, unless it refuses settings or a scheme */
  add(error: unknown): void {
    if (!(error instanceof SettingsError || error instanceof SchemeError)) throw error
    this.#errors.push(error)
  }

  /** @returns the only error, or one error with the reasons of all; null: nothing was refused */
  get error(): SettingsError | SchemeError | null {
    const [first = null, ...others] = this.#errors
    if (others.length === 0) return first
    const reasons = this.#errors.flatMap(error =>
      error instanceof SettingsError ? error.reasons : [error.message],
    )
    const isUsage = this.#errors.every(error => error instanceof FlagError)
    return isUsage ? new FlagError(reasons) : new SettingsError(reasons)
  }

  /** @throws {SettingsError} @throws {SchemeError} with all reasons, if there are any */
  throwAll(): void {
    if (this.error !== null) throw this.error
  }
}

/** Runs every check, also after one has failed.
 *  @throws {SettingsError} with the reasons of all */
export function checkAll(checks: readonly (() => void)[]): void {
  const refusals = new Refusals()
  for (const check of checks) refusals.of(check)
  refusals.throwAll()
}

/** Reads every entry, also after one was refused.
 *  @throws {SettingsError} with the reasons of all */
export function readEach<Entry, Result>(
  entries: readonly Entry[],
  read: (entry: Entry) => Result,
): readonly Result[] {
  const refusals = new Refusals()
  const results: Result[] = []
  for (const entry of entries) refusals.of(() => results.push(read(entry)))
  refusals.throwAll()
  return results
}
