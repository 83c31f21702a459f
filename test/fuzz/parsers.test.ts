/** Each exported function that reads a text or bytes has a target of the fuzzer, or a reason why it has none. A new parser fails here until it has one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const ROOMS = ['protocol', 'schemes', 'crypto', 'accounts', 'sessions', 'server/settings', 'libraries/wallet']
/** Functions whose names say that they read, with a first argument that others may write. */
const PARSER =
  /^export (?:async )?function ((?:parse|read|decode|open|restore|verify)\w*)\(\s*(?:\w+|\{[^}]*\}): (?:string|Uint8Array|Buffer|JsonValue|JsonObject|XmlElement|SignedAccumulator)\b/gm

const REASONS: Readonly<Record<string, string>> = {
  readCredentials: 'reads two headers without a form',
  parseRevocationRequest: 'called by parseRevocationRequestText',
  parseAskedRequest: 'called by parseSessionRequestText',
  parseSessionRequest: 'called by verifyRequestJwt and readDelivered',
  readMap: 'called by every reader of JSON',
  readList: 'called by every reader of JSON',
  readString: 'called by every reader of JSON',
  readBoolean: 'called by every reader of JSON',
  readJsonBytes: 'called by readJwsPart',
  readInteger: 'called by every reader of JSON',
  readProofMessage: 'called by parseDisclosureMessage',
  readIndices: 'called by parseDisclosureMessage',
  readSentIndices: 'called by parseDisclosureMessage',
  readLegacyDisclose: 'called by parseSessionRequestText',
  readSpecific: 'called by parseSessionRequestText',
  readLabels: 'called by parseSessionRequestText',
  readHost: 'called by parseSessionRequestText',
  openSigned: 'called by openIssuanceRecord and verifyUpdate',
  openAccumulator: 'called by verifyUpdate',
  restoreJson: 'its text is from the store',
  restoreRequest: 'its text is from the store',
  restoreSentUpdates: 'its text is from the store',
  restoreOutcome: 'its text is from the store',
  readSettingsJson: 'called by readSettingsFile, whose message it completes',
  readLimited: 'reads a file of the operator by its path',
  readSignedFiles: 'reads a folder by its path',
  readNewKeys: 'reads a folder by its path',
  readSchemeIn: 'reads a folder by its path',
  readContent: 'reads a folder by its path',
  readKeysOf: 'reads a folder by its path',
  verifyScheme: 'reads a folder by its path',
  openDevice: 'reads files of the wallet by their folder',
  parseMailTemplate: 'reads a file of the operator',
  openKeyPem: 'reads the private key of the operator, each time for half a second',
  openFolder: 'reads files of the wallet by their folder',
  openWallet: 'reads files of the wallet by their folder',
  parseStampKey: 'reads an option of the operator',
  openBoundRecord: 'its bytes are from the store, and sealed; readSecrets reads what is in them',
  readHashedCommitments: 'reads the members that readCommitments reads',
}

function textsIn(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(join(PROJECT, folder, name), 'utf8'))
}

const Parsers = suite('parsers that the fuzzer tries')

const targets = textsIn('test/fuzz/parsers').join('\n')
const parsers = ROOMS.flatMap(textsIn).flatMap(text =>
  [...text.matchAll(PARSER)].map(([, name = '']) => name),
)
const isTried = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(targets)

Parsers('each parser has a target, or a reason', () => {
  assert.ok(parsers.length > 60)
  assert.equal(
    parsers.filter(name => !isTried(name) && !Object.hasOwn(REASONS, name)),
    [],
  )
})

Parsers('each reason is for a parser without a target', () => {
  assert.equal(
    Object.keys(REASONS).filter(name => !parsers.includes(name) || isTried(name)),
    [],
  )
})

Parsers.run()
