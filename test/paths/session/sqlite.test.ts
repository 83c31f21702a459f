/** The paths of the session chart on SQLite. @module */
import { newStoreFile } from '../../temporary-folder.ts'
import { runRestarts } from './restarts.ts'
import { runSessionPaths } from './suite.ts'

runSessionPaths('SQLite', { settings: { store: `sqlite:${newStoreFile()}` } })
runRestarts('SQLite', () => ({ settings: { store: `sqlite:${newStoreFile()}` } }))
