/** Which of this computer's addresses a phone is told. @module */

/** @param found the addresses of this computer in its networks
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
