/** Options of a keyshare server in tests: the defaults, with the changes of the test. Tests derive their settings from these options, so a new setting needs
 *  no change in other tests. @module */
import { type KeyshareOptionValues, keyshareServer } from '../../server/settings/keyshare-server.ts'

export function keyshareOptionsOfTest(values: Partial<KeyshareOptionValues> = {}): KeyshareOptionValues {
  return keyshareServer.resolve({ flags: {}, variables: {}, file: { name: 'test', values } }).options
}
