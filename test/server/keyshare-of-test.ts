/** Options of a keyshare server in tests: the defaults, with the changes of the test. Tests take their settings from these options, so that a new setting needs
 *  no change in tests of other settings. @module */
import { type KeyshareOptionValues, keyshareServer } from '../../server/settings/keyshare-server.ts'

export function keyshareOptionsOfTest(values: Partial<KeyshareOptionValues> = {}): KeyshareOptionValues {
  return keyshareServer.resolve({ flags: {}, variables: {}, file: { name: 'test', values } }).options
}
