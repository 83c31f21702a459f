/** The paths of the delivery chart on SQLite. @module */
import { openStore } from '../../../stores/open.ts'
import { newStoreFile } from '../../temporary-folder.ts'
import { runDeliveryPaths } from './suite.ts'

runDeliveryPaths('SQLite', () => openStore(`sqlite:${newStoreFile()}`, 'boot A'))
