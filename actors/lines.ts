/** A line for each name: of one name one piece of work is done at a time, in the order in which they were asked for. @module */
export class Lines {
  /** the last piece of work in each line */
  readonly #lines = new Map<string, Promise<unknown>>()

  /** @returns what the work returns
   *  @throws what the work throws; the line goes on */
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
