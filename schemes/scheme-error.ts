/** The reason why a folder of schemes is refused: always one file and one reason. @module */

/** A broken or untrusted scheme, or a private key that does not fit; no file of the folder is used. */
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

/** A file or folder that is missing, or that this process may not read or write.
 *  @param expected with its article
 *  @param error of the file system; the message contains only its code */
export function fileFailure(path: string, expected: string, error: unknown): SchemeError {
  const got = error instanceof Error && 'code' in error ? String(error.code) : 'another failure'
  return new SchemeError(path, `expected ${expected}, got ${got}`, { cause: error })
}

/** Thrown by the readers of a file's content, which do not know the name of the file. */
export class BrokenFileError extends Error {
  override readonly name = 'BrokenFileError'
}

/** Runs a reader of one file's content. @throws {SchemeError} with the name of the file if the content is broken */
export function inFile<Result>(file: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof BrokenFileError) throw new SchemeError(file, error.message, { cause: error.cause })
    throw error
  }
}
