/** What is allowed, and perhaps not meant (`spec/session-server.md` 6.6, 20.1): told once, when the server starts. @module */
import type { ServerSettings } from '../../http/settings.ts'

type Warned = Pick<ServerSettings, 'noAuth' | 'url' | 'requestors' | 'permissions'>

export function warningsAbout({ noAuth, url, requestors, permissions }: Warned): readonly string[] {
  return [
    ...(noAuth ? ['no_auth: whoever reaches this server may start sessions'] : []),
    ...(url.startsWith('https:')
      ? []
      : ['url: wallet apps refuse plain HTTP outside of their developer mode']),
    ...requestors.flatMap(requestor => permissionsInVain(requestor, permissions)),
  ]
}

const PERMISSIONS = [
  ['disclosePerms', 'disclose_perms'],
  ['signPerms', 'sign_perms'],
  ['issuePerms', 'issue_perms'],
] as const

/** A requestor has the permissions of the server besides its own, so that its own limit nothing where everybody may do everything. */
function permissionsInVain(
  { name, ...own }: ServerSettings['requestors'][number],
  globals: ServerSettings['permissions'],
): string[] {
  return PERMISSIONS.filter(
    ([member]) => globals[member].includes('*') && own[member].some(pattern => pattern !== '*'),
  ).map(
    ([, option]) =>
      `requestors.${name}.${option}: without effect, because "${option}" of the server allows everything to everybody`,
  )
}
