/** Makes and signs scheme folders for tests and benchmarks: plain ones from a short description, broken ones by replacing single
 *  files before or after signing. @module */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { indexOf, writeIndex } from '../../schemes/sign.ts'

export type MadeAttribute = { readonly id: string; readonly xml?: string }
export type MadeType = {
  readonly name: string
  /** names, or a name with further XML attributes: `{ id: 'x', xml: 'optional="true"' }` */
  readonly attributes: readonly (string | MadeAttribute)[]
  /** further child elements */
  readonly xml?: string
}
export type MadeKey = { readonly counter: number; readonly public: string; readonly private?: string }
export type MadeIssuer = {
  readonly name: string
  readonly keys: readonly MadeKey[]
  readonly types: readonly MadeType[]
  readonly xml?: string
}
export type MadeScheme = {
  readonly id: string
  /** true by default */
  readonly isDemo?: boolean
  readonly issuers: readonly MadeIssuer[]
  readonly xml?: string
  /** signed files to add or replace; null leaves one out */
  readonly files?: Readonly<Record<string, string | Uint8Array | null>>
}

const LANGUAGES = '<Languages><Language>en</Language></Languages>'

/** A folder below the system's temporary one. The caller removes it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'schemes-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Writes `<parent>/<id>` with a new P-256 key. Private keys are written too, unsigned.
 *  @returns the scheme's folder */
export async function makeScheme(parent: string, scheme: MadeScheme): Promise<string> {
  const folder = join(parent, scheme.id)
  const signed = new Map<string, string | Uint8Array>(Object.entries(signedFiles(scheme)))
  for (const [path, content] of Object.entries(scheme.files ?? {}))
    if (content === null) signed.delete(path)
    else signed.set(path, content)
  for (const [path, content] of signed) await write(join(folder, path), content)
  for (const issuer of scheme.issuers)
    for (const key of issuer.keys)
      if (key.private)
        await write(join(folder, issuer.name, 'PrivateKeys', `${key.counter}.xml`), key.private)
  await signIndex(folder, indexOf(scheme.id, signed))
  return folder
}

/** Writes an index, a new key and a matching signature into a scheme folder. */
export async function signIndex(folder: string, index: string, curve = 'P-256'): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve })
  writeIndex(folder, index, privateKey)
  return privateKey
}

async function write(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

function signedFiles(scheme: MadeScheme): Record<string, string> {
  const files: Record<string, string> = { 'description.xml': schemeXml(scheme), timestamp: '1700000000\n' }
  for (const issuer of scheme.issuers) {
    files[`${issuer.name}/description.xml`] = issuerXml(scheme.id, issuer)
    for (const key of issuer.keys) files[`${issuer.name}/PublicKeys/${key.counter}.xml`] = key.public
    for (const type of issuer.types)
      files[`${issuer.name}/Issues/${type.name}/description.xml`] = typeXml(scheme.id, issuer.name, type)
  }
  return files
}

function schemeXml({ id, isDemo = true, xml = '' }: MadeScheme): string {
  return `<SchemeManager version="7">
	<Id>${id}</Id>
	<Url>https://schemes.example.test/${id}</Url>
	<Demo>${isDemo}</Demo>
	<Name><en>Scheme ${id}</en></Name>
	<Description><en>Made for a test.</en></Description>
	${LANGUAGES}
	${xml}
</SchemeManager>
`
}

function issuerXml(scheme: string, { name, xml = '' }: MadeIssuer): string {
  return `<Issuer version="4">
	<ID>${name}</ID>
	<SchemeManager>${scheme}</SchemeManager>
	<Name><en>Demo ${name}</en></Name>
	${xml}
</Issuer>
`
}

function typeXml(scheme: string, issuer: string, { name, attributes, xml = '' }: MadeType): string {
  return `<IssueSpecification version="4">
	<SchemeManager>${scheme}</SchemeManager>
	<IssuerID>${issuer}</IssuerID>
	<CredentialID>${name}</CredentialID>
	<Name><en>Demo ${name}</en></Name>
	<Description><en>Made for a test.</en></Description>
	${xml}
	<Attributes>
${attributes.map(each => attributeXml(typeof each === 'string' ? { id: each } : each)).join('')}	</Attributes>
</IssueSpecification>
`
}

function attributeXml({ id, xml = '' }: MadeAttribute): string {
  return `		<Attribute${id && ` id="${id}"`}${xml && ` ${xml}`}>
			<Name><en>${id}</en></Name>
			<Description><en>Value of ${id}.</en></Description>
		</Attribute>
`
}
