/** Chooses the address of this computer that a phone calls. @module */

/** @param found addresses of this computer in its networks
 *  @param wanted one of them; undefined: the first
 *  @throws {RangeError} with expected and got */
export function addressForPhone(found: readonly string[], wanted?: string): string {
  const [first] = found
  if (first === undefined)
    throw new RangeError('--phone: expected an IPv4 address of this computer in a network, got none')
  if (wanted === undefined || found.includes(wanted)) return wanted ?? first
  throw new RangeError(
    `--phone: expected an address of this computer in a network (${found.join(', ')}), got ${JSON.stringify(wanted)}`,
  )
}
