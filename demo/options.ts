/** The options of the demo, and the running demo. @module */
import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'

export type DemoOptions = {
  /** port of the page, and of the address for a real phone; 0, the default: any free ones */
  readonly port?: number
  /** a loopback address, 127.0.0.1 by default */
  readonly host?: string
  /** folder that contains the demo schemes with their private keys */
  readonly schemesPath: string
  /** folder in which a temporary folder for the phone's wallet is created; default: the system's temporary folder */
  readonly dataDir?: string
  /** a folder in which the phone's wallet is kept for the next run; replaces `dataDir` */
  readonly keepIn?: string
  /** port of the timestamp server, 0: any free one; default: the port in the demo scheme */
  readonly timestampPort?: number
  /** allows a real phone to answer; left out: only loopback addresses are used */
  readonly ownPhone?: {
    /** address of this computer in the network of the phone */
    readonly address: string
    /** further folders that may contain schemes */
    readonly schemesPaths: readonly string[]
  }
  readonly arithmetic?: 'auto' | 'openssl' | 'bigint'
  readonly log: Logger
  readonly clock: Clock
  readonly random: Randomness
}

export type Demo = {
  /** URL to open in a browser, with a slash at the end */
  readonly address: string
  /** address that a real phone calls, without a slash at the end; null: no real phone may answer */
  readonly phoneAddress: string | null
  close(): Promise<void>
}
