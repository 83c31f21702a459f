/** Compares the objects of a kind of server with those of `deploy/kubernetes.yaml`, which have tests of their own. @module */
import * as assert from 'uvu/assert'
import { parseAllDocuments } from 'yaml'
import { deployed } from '../tools.ts'

/** The objects of a file, with NAME in the place of its name. */
function objectsOf(file: string, name: string) {
  const text = deployed(file).replaceAll(new RegExp(`\\b${name}(?=[-\\s,}]|$)(?!@)`, 'gm'), 'NAME')
  return parseAllDocuments(text).map(document => document.toJS())
}

type Own = {
  /** arguments of the container: its kind of server, and the settings file in `/etc/svc` */
  readonly command: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  /** the port at public addresses that a node calls */
  readonly called: number
}

/** Asserts that the objects differ from those of session servers in command, address, settings and the called port alone.
 *  @param name of the objects */
export function assertAlike(file: string, name: string, { command, env, called }: Own): void {
  const [own, other] = [objectsOf(file, name), objectsOf('kubernetes.yaml', 'svc')]
  const [container, session] = [own, other].map(([deployment]) => deployment.spec.template.spec.containers[0])
  assert.equal([container.args, container.env], [command, env])
  assert.is(container.volumeMounts[0].mountPath, command.at(-1))
  assert.is(`/etc/svc/${container.volumeMounts[0].subPath}`, command.at(-1))
  for (const changed of ['env', 'volumeMounts', 'image'] as const) container[changed] = session[changed]
  delete container.args
  const [ofOwn, ofOther] = [own, other].map(objects => objects[3].spec.egress[2].ports[0])
  assert.equal([ofOwn.port, ofOther.port], [called, 443])
  ofOwn.port = ofOther.port
  assert.is(own.length, 5)
  assert.equal(own, other)
}
