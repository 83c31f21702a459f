/** Rows that can be tried with one way of authentication alone. @module */
import type { RowId } from '../../../libraries/conformance/rows.ts'

export const OF_TOKENS: readonly RowId[] = ['5.1 token']
export const OF_SIGNED: readonly RowId[] = [
  '2.7 signed request',
  '5.1 text/plain',
  '5.1 signed requests only',
  '5.1 RS256, HMAC-SHA256',
  '5.1 iat',
  '5.1 iss',
  '5.1 sub disclosure',
  '5.1 sub signature',
  '5.1 sub issuance',
]
