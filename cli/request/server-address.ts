/** Checks the address of a server that a flag or an argument names. The command appends its paths to it. @module */
import { mistakeInAddress } from '../../ports/outgoing-address.ts'
import { mistakeInBaseAddress } from '../../protocol/base-address.ts'
import { shownAddress } from '../../protocol/shown-address.ts'

/** @param name of the flag or argument
 *  @returns the mistake, without the parts of the address that may be secret; undefined if there is none */
export function mistakeInServer(name: string, address: string): string | undefined {
  const mistake = mistakeInBase(name, address)
  if (mistake !== undefined) return mistake
  const uncalled = mistakeInAddress(address)
  return uncalled === null ? undefined : `${name}: ${uncalled}`
}

/** As `mistakeInServer`, for an address that only wallet apps call. */
export function mistakeInBase(name: string, address: string): string | undefined {
  if (!/^https?:\/\//.test(address))
    return `${name}: expected an http or https address, got ${shownAddress(address)}`
  const mistake = mistakeInBaseAddress(address)
  return mistake === null ? undefined : `${name}: ${mistake}`
}
