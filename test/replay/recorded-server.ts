/** The options of a recorded server, as settings of ours: they have the same names, and are read like a settings file. @module */
import { join } from 'node:path'
import type { ProfileName } from '../../protocol/profiles.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { NodeSettings } from '../../server/settings/node-settings.ts'
import { revocationSettingsOf } from '../../server/settings/revocation.ts'
import { sdJwtIssuersOf } from '../../server/settings/sd-jwt.ts'
import { toServerSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { PROJECT } from '../project.ts'
import type { RecordedKeyshare } from './keyshare-node.ts'

type RecordedRequestor = {
  readonly auth_method: string
  readonly key?: string
  /** below test/vectors */
  readonly key_file?: string
}

/** The member `server` of a transcript. */
export type RecordedServer = {
  readonly url: string
  readonly no_auth: boolean
  readonly requestors?: Readonly<Record<string, RecordedRequestor>>
  /** the permissions of every requestor; absent if none */
  readonly permissions?: Readonly<Record<string, readonly string[]>>
  /** below test/vectors */
  readonly jwt_privkey?: string
  readonly keyshare?: RecordedKeyshare
  /** below test/vectors */
  readonly sdjwtvc?: Readonly<Record<string, string>>
  readonly [option: string]: unknown
}

/** Options without a meaning for this server: schemes and keyshare server are fixed, streams are always on (spec/decisions#d17). */
const FOREIGN = ['schemes', 'keyshare', 'sse', 'permissions', 'jwt_privkey', 'requestors', 'sdjwtvc']
const NO_PERMISSIONS = { disclose_perms: [], sign_perms: [], issue_perms: [] }

export function settingsOf(recorded: RecordedServer, profile: ProfileName, schemes: Schemes): NodeSettings {
  const { permissions = NO_PERMISSIONS, jwt_privkey: key, requestors = {}, sdjwtvc } = recorded
  const given = Object.entries({ ...recorded, ...permissions }).filter(([name]) => !FOREIGN.includes(name))
  const values = {
    stop_idle: '0s',
    outgoing_hosts: ['*'], // the recorded requestors run on this machine
    ...Object.fromEntries(given),
    profile,
    requestors: Object.fromEntries(Object.entries(requestors).map(([name, each]) => [name, ofFile(each)])),
    ...(key && { jwt_privkey_file: inVectors(key) }),
    ...(sdjwtvc && { sdjwtvc: inFolders(sdjwtvc) }),
  }
  const { options, warnings } = sessionServer.resolve({
    flags: {},
    variables: {},
    file: { name: 'the recorded server', values },
  })
  if (warnings.length > 0) throw new Error(`options of a recorded server: ${warnings.join('; ')}`)
  const { settings: revocation } = revocationSettingsOf(options, schemes)
  const server = toServerSettings(options, '127.0.0.1')
  const { issuers: sdJwtIssuers } = sdJwtIssuersOf(server.sdJwtFolders, schemes)
  return { ...server, schemes, revocation, sdJwtIssuers }
}

function inFolders(folders: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, inVectors(folder)]))
}

function ofFile({ key_file: file, ...requestor }: RecordedRequestor): object {
  return { ...requestor, ...(file && { key_file: inVectors(file) }) }
}

function inVectors(file: string): string {
  return join(PROJECT, 'test/vectors', file)
}
