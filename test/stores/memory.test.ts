/** The store in memory. @module */
import { openStore } from '../../stores/open.ts'
import { runStoreSuite } from './store-suite.ts'

runStoreSuite('memory', () => openStore('memory', 'boot A'))
