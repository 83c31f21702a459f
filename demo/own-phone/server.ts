/** A second session server of the tour, for a phone in the same network, with the profile of the Yivi app. The endpoints of wallet apps are on an address of the
 *  network, those of requestors only on a loopback address. @module */

import type { OnClose } from '../../server/closable.ts'
import { createNode } from '../../server/create-node.ts'
import { uncheckedSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import type { World } from '../../server/world.ts'
import { onlyByName } from '../guard.ts'
import { openListener } from '../listen.ts'
import type { DemoOptions } from '../options.ts'
import { type Question, questionFor } from './question.ts'

export type OwnPhone = {
  readonly question: Question
  /** address that the phone calls, without a slash at the end */
  readonly address: string
  /** address for a requestor on this computer, without a slash at the end */
  readonly requestors: string
}

type Options = DemoOptions & Pick<World, 'inspection'> & { readonly host: string }

/** @returns null if the options do not allow a real phone */
export async function openOwnPhone(options: Options, onClose: OnClose): Promise<OwnPhone | null> {
  const { ownPhone, schemesPath, host, port = 0, clock, random, log, inspection } = options
  if (!ownPhone) return null
  const question = await questionFor([schemesPath, ...ownPhone.schemesPaths])
  const outside = await openListener(options, port, ownPhone.address, onClose)
  const inside = await openListener(options, 0, host, onClose)
  const settings = {
    ...uncheckedSettings(optionsOf(options, outside.address), outside.address),
    schemes: question.schemes,
    revocation: new Map(),
  }
  const node = await createNode(settings, { clock, random, log, fetch, inspection })
  onClose(node.close)
  inside.listener.on('request', onlyByName(inside.address, node.server.app.callback()))
  if (node.clientServer) outside.listener.on('request', node.clientServer.app.callback())
  log.info({ phone: outside.address }, 'demo: a phone may call')
  return { question, address: outside.address, requestors: inside.address }
}

/** `client_port` keeps the endpoints of requestors off the network address. */
function optionsOf({ arithmetic }: DemoOptions, url: string) {
  const values = {
    store: 'memory',
    profile: 'irma',
    openapi: false,
    arithmetic,
    workers: 1,
    url,
    client_port: Number(new URL(url).port),
  }
  return sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'demo', values } }).options
}
