/** Recorded flows that are not replayed yet, each with what the harness lacks for it. @module */

const LATER: Readonly<Record<string, readonly string[]>> = {
  'signature sessions': ['signature-', 'invalid-signatures', 'legacy-request-signature'],
  'issuance sessions': [
    'issuance-',
    'combined-',
    'invalid-commitments',
    'legacy-request-issuance',
    'pairing-issuance',
  ],
  'older versions of both, and refused ones': [
    'version-2.4-',
    ...['2.5', '2.6', '2.7'].flatMap(version => [
      `version-${version}-signature`,
      `version-${version}-issuance`,
    ]),
    'version-2.7-refused',
  ],
  'calls of the server to a requestor': ['chained-', 'timeout'],
  'requestors of every method': ['auth-'],
  'signed results': ['result-forms', 'errors-requestor-endpoints'],
  'options of the server': ['bare-server', 'production-mode'],
}

export function isLater(file: string): boolean {
  return Object.values(LATER)
    .flat()
    .some(prefix => file.startsWith(prefix))
}
