/** The paths of the keyshare login chart on PostgreSQL. @module */
import { openStore } from '../../../stores/open.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { runLoginPaths } from './suite.ts'

const isSkipped = isMissing('PostgreSQL', hasPostgres)

runLoginPaths('PostgreSQL', async () => openStore(await newPostgresDatabase(), 'boot'), isSkipped)
