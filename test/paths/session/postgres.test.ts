/** The paths of the session chart on PostgreSQL; the player waits for its answers. @module */
import { openStore } from '../../../stores/open.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { watchedOnClock } from '../until.ts'
import { runSessionPaths } from './suite.ts'

if (!isMissing('PostgreSQL', hasPostgres)) {
  const store = await openStore(await newPostgresDatabase(), 'boot')
  runSessionPaths('PostgreSQL', { store: watchedOnClock(store) }, () => store.close())
}
