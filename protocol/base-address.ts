/** Addresses to which paths are appended. A query or a fragment would be lost, or would swallow the path. @module */
import { shownAddress } from './shown-address.ts'

/** @returns a message with expected and got, without the parts of the address that may be secret; null if the address has neither query nor fragment */
export function mistakeInBaseAddress(address: string): string | null {
  return /[?#]/.test(address)
    ? `expected an address without query and fragment, got ${shownAddress(address)}`
    : null
}
