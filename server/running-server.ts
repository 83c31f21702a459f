/** The handle of a program on a server that listens. This file imports nothing, so that such a program needs no types of the server's parts. @module */

export type RunningServer = {
  readonly port: number
  /** port of the separate listener of wallet apps and frontends; null: they use `port` */
  readonly clientPort: number | null
  /** The page of the inspector with the token that opens it, which is secret; null: the option `inspect` is off. */
  readonly inspector: string | null
  /** Reads the files of certificates and keys now (TLS and SD-JWT), and not only every 20 s. New connections and new SD-JWTs use the new ones. */
  readonly readCertificatesAgain: () => void
  readonly close: () => Promise<void>
}

export type RunningKeyshareServer = Omit<RunningServer, 'clientPort'>

export type RunningOidcServer = Omit<RunningServer, 'clientPort'>
