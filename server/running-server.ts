/** The handle of a program on a server that listens. The file imports nothing, so that such a program needs no types of what is inside. @module */

export type RunningServer = {
  readonly port: number
  /** null: clients use the same */
  readonly clientPort: number | null
  /** The page of the inspector with the token that opens it, which is secret; null: the option `inspect` is off. */
  readonly inspector: string | null
  /** Reads the files of certificates and keys now (TLS and SD-JWT); without it they are read every 20 s. New connections and new SD-JWTs get what has changed. */
  readonly readCertificatesAgain: () => void
  readonly close: () => Promise<void>
}

export type RunningKeyshareServer = Omit<RunningServer, 'clientPort'>

export type RunningOidcServer = Omit<RunningServer, 'clientPort'>
