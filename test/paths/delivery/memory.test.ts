/** The paths of the delivery chart on the memory store. @module */
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { runDeliveryPaths } from './suite.ts'

runDeliveryPaths('memory', async () => createMemoryStore())
