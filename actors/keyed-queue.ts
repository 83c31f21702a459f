/** A line per name: work on one name is done one piece at a time, in the order of the calls. @module */
export class KeyedQueue {
  /** the last piece of work in each line */
  readonly #lines = new Map<string, Promise<unknown>>()

  /** @returns the result of the work
   *  @throws the errors of the work; the line continues */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#lines.get(name) ?? Promise.resolve()).then(work)
    const line = result
      .catch(() => {})
      .then(() => {
        if (this.#lines.get(name) === line) this.#lines.delete(name)
      })
    this.#lines.set(name, line)
    return result
  }
}
