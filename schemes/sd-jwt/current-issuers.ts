/** The SD-JWT issuers of a running server: those that were read last without a fault. @module */
import type { IssuerId } from '../../protocol/ids.ts'
import type { ReadSdJwtIssuers, SdJwtIssuer, SdJwtIssuers } from './issuers.ts'

export class CurrentSdJwtIssuers implements SdJwtIssuers {
  #read: ReadSdJwtIssuers

  constructor(first: ReadSdJwtIssuers) {
    this.#read = first
  }

  /** of the files from which they were read (`fingerprintOf`) */
  get fingerprint(): string {
    return this.#read.fingerprint
  }

  get(id: IssuerId): SdJwtIssuer | undefined {
    return this.#read.issuers.get(id)
  }

  values(): MapIterator<SdJwtIssuer> {
    return this.#read.issuers.values()
  }

  /** Requests and signatures use these from now on, also in sessions that exist. */
  take(next: ReadSdJwtIssuers): void {
    this.#read = next
  }
}
