/** The `@context` of every message (spec/interface#2.3, #9.3): a base that the operator chooses, and a fixed path. It only identifies the type of a message: it is
 *  compared as a whole and never fetched. @module */

const PATHS = {
  disclosing: '/ld/request/disclosure/v2',
  signing: '/ld/request/signature/v2',
  issuing: '/ld/request/issuance/v2',
  revocation: '/ld/request/revocation/v1',
  signature: '/ld/signature/v2',
  client: '/ld/request/client/v1',
  options: '/ld/options/v1',
  frontendOptions: '/ld/request/frontendoptions/v1',
} as const

/** @param base such as `https://svc.example`, without a slash at the end */
export function contextOf<Message extends keyof typeof PATHS>(
  base: string,
  message: Message,
): `${string}${(typeof PATHS)[Message]}` {
  return `${base}${PATHS[message]}`
}
