/** What the demo is started with, and what it gives back. @module */
import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'

export type DemoOptions = {
  /** of the page, and of the address for a real phone; 0, the default: any free ones */
  readonly port?: number
  /** a loopback address, 127.0.0.1 by default */
  readonly host?: string
  /** holds the demo scheme with its private keys */
  readonly schemesPath: string
  /** where the phone's wallet is made, in a new folder that goes at the end; the system's temporary folder by default */
  readonly dataDir?: string
  /** instead: a folder in which the phone's wallet stays for the next time */
  readonly keepIn?: string
  /** the port of the timestamp server, 0: any free one; by default the port that the demo scheme names */
  readonly timestampPort?: number
  /** a real phone may answer too; left out: nothing listens but on the loopback address */
  readonly ownPhone?: {
    /** of this computer in the network of the phone */
    readonly address: string
    /** where schemes may be besides `schemesPath` */
    readonly schemesPaths: readonly string[]
  }
  readonly arithmetic?: 'auto' | 'openssl' | 'bigint'
  readonly log: Logger
  readonly clock: Clock
  readonly random: Randomness
}

export type Demo = {
  /** what to open in a browser, with a slash at the end */
  readonly address: string
  /** where a real phone calls, without a slash at the end; null: none may */
  readonly phoneAddress: string | null
  close(): Promise<void>
}
