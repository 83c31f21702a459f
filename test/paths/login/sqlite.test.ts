/** The paths of the keyshare login chart on SQLite. @module */
import { openStore } from '../../../stores/open.ts'
import { newStoreFile } from '../../temporary-folder.ts'
import { runLoginPaths } from './suite.ts'

runLoginPaths('SQLite', () => openStore(`sqlite:${newStoreFile()}`, 'boot'))
