/** The paths of the keyshare login chart on SQLite. @module */
import { openAccountsStore } from '../../../stores/open.ts'
import { newStoreFile } from '../../temporary-folder.ts'
import { runLoginPaths } from './suite.ts'

runLoginPaths('SQLite', () => openAccountsStore(`sqlite:${newStoreFile()}`, 'boot'))
