/** Why a folder of schemes is refused: always one file and one reason. @module */

/** A broken or untrusted scheme, or a private key that does not fit; nothing of the folder is used. */
export class SchemeError extends Error {
  override readonly name = 'SchemeError'
  readonly file: string
  readonly reason: string
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`${file}: ${reason}`, options)
    this.file = file
    this.reason = reason
  }
}

/** Something of the folder that the system does not let this process read or write, or that is not there.
 *  @param expected with its article
 *  @param error of the file system, of which the message holds the code alone */
export function fileFailure(path: string, expected: string, error: unknown): SchemeError {
  const got = error instanceof Error && 'code' in error ? String(error.code) : 'another failure'
  return new SchemeError(path, `expected ${expected}, got ${got}`, { cause: error })
}

/** Found by the readers of one file's content, which do not know its name. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** Run a reader of one file's content. @throws {SchemeError} with the file's name if the content is broken */
export function inFile<Result>(file: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof Broken) throw new SchemeError(file, error.message, { cause: error.cause })
    throw error
  }
}
