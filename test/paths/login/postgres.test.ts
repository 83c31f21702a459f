/** The paths of the keyshare login chart on PostgreSQL. @module */
import { openAccountsStore } from '../../../stores/open.ts'
import { hasPostgres, newPostgresDatabase } from '../../postgres.ts'
import { isMissing } from '../../project.ts'
import { runLoginPaths } from './suite.ts'

const isSkipped = isMissing('PostgreSQL', hasPostgres)

runLoginPaths('PostgreSQL', async () => openAccountsStore(await newPostgresDatabase(), 'boot'), isSkipped)
