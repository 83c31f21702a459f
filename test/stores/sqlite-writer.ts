/** A process that commits as fast as it can and tells the version of each commit, until it is killed. @module */
import { openStore } from '../../stores/open.ts'
import { sessionRow } from './rows.ts'

const store = await openStore(`sqlite:${process.argv[2]}`, 'boot A')
await store.commit('id-s', 0, sessionRow('s'))
for (let version = 1; process.connected; version++) {
  await store.commit('id-s', version, sessionRow('s', { version: version + 1 }))
  process.send?.(version + 1)
}
