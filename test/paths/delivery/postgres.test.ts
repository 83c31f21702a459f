/** The paths of the delivery chart on PostgreSQL; the player waits for its answers. @module */
import { openStore } from '../../../stores/open.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { watchedOnClock } from '../until.ts'
import { runDeliveryPaths } from './suite.ts'

if (!isMissing('PostgreSQL', hasPostgres))
  runDeliveryPaths('PostgreSQL', async () =>
    watchedOnClock(await openStore(await newPostgresDatabase(), 'boot')),
  )
