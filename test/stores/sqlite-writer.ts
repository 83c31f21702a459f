/** A process that commits as fast as it can and sends the version of each commit, until it is killed. It pauses between the messages `rest`, which it answers with
 *  `resting`, and `go`. @module */

import { once } from 'node:events'
import { openStore } from '../../stores/open.ts'
import { commitSession } from './commits.ts'
import { sessionRow } from './rows.ts'

const store = await openStore(`sqlite:${process.argv[2]}`, 'boot A', {
  lost(error) {
    console.error(error.message)
    process.exit(1)
  },
})
let isToRest = false
process.on('message', message => {
  isToRest = message === 'rest'
})
await commitSession(store, 'id-s', 0, sessionRow('s'))
for (let version = 1; process.connected; version++) {
  if (isToRest) {
    process.send?.('resting')
    await once(process, 'message')
  }
  await commitSession(store, 'id-s', version, sessionRow('s', { version: version + 1 }))
  process.send?.(version + 1)
}
