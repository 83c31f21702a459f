/** Detects calls that failed because of an untrusted certificate. @module */

/** Node's error codes for refused certificates. */
const REFUSED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/

/** @param error of `fetch`
 *  @returns advice for the user, or an empty text for any other error */
export function trustOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (!REFUSED.test(code)) return ''
  return `: its certificate is not trusted (${code}); start with NODE_EXTRA_CA_CERTS=FILE, the certificate of its authority in PEM`
}
