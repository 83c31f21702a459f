/** The store in memory. @module */
import { openStore } from '../../stores/open.ts'
import { runAccountSuite } from './account-suite.ts'
import { runOidcSuite } from './oidc-suite.ts'
import { runRevocationSuite } from './revocation-suite.ts'
import { runStoreSuite } from './store-suite.ts'

runStoreSuite('memory', () => openStore('memory', 'boot A'))
runRevocationSuite('memory', () => openStore('memory', 'boot A'))
runAccountSuite('memory', () => openStore('memory', 'boot A'))
runOidcSuite('memory', () => openStore('memory', 'boot A'))
