/** A process that opens a store and prints the result: `opened`, or the message of the refusal. @module */
import { openStore } from '../../stores/open.ts'

try {
  const store = await openStore(String(process.argv[2]), 'boot of another process')
  console.log('opened')
  await store.close()
} catch (error) {
  console.log(error instanceof Error ? error.message : 'not an error')
}
