/** Downloads and updates schemes from web servers (spec/schemes-and-cli#11, #16.6). @module */

import { basename } from 'node:path'
import { createSystemClock } from '../../ports/clock.ts'
import { createDownload } from '../../ports/download.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { downloadScheme, type InstalledScheme, updateScheme } from '../../schemes/install.ts'
import { findSchemes } from '../../schemes/load.ts'
import { readSignedFiles } from '../../schemes/signed-files.ts'
import { defaultSchemesPath } from '../../server/files/directories.ts'
import { isFolder, makeFolder } from '../../server/files/paths.ts'
import { printWarnings } from './verify.ts'

const clock = createSystemClock()
const fetchFile = createDownload({ fetch: systemFetch, clock })

const pem = (body: string): string => `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----\n`
/** The schemes in existing wallet apps, and their keys. */
const PUBLIC_SCHEMES = [
  {
    address: 'https://schemes.yivi.app/irma-demo',
    pinnedKey: pem(
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHVnmAY+kGkFZn7XXozdI4HY8GOjm54ngh4chTfn6WsTCf2w5rprfIqML61z2VTE4k8yJ0Z1QbyW6cdaao8obTQ==',
    ),
  },
  {
    address: 'https://schemes.yivi.app/pbdf',
    pinnedKey: pem(
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELzHV5ipBimWpuZIDaQQd+KmNpNopdpBeCqpDwf+Grrw9ReODb6nwlsPJ/c/gqLnc+Y3sKOAJ2bFGI+jHBSsglg==',
    ),
  },
]

/** @param path used as an address if it is not a folder */
export async function download(path: string | undefined, urls: readonly string[]): Promise<void> {
  const named = path !== undefined && isFolder(path) ? path : undefined
  const addresses = path === undefined || named !== undefined ? urls : [path, ...urls]
  for (const address of addresses)
    if (!/^https?:\/\//.test(address))
      throw new Error(`expected a folder, or an http or https address, got ${JSON.stringify(address)}`)
  const parent = named ?? defaultFolder()
  const trusted = addresses.map(address => ({ address, pinnedKey: null }))
  for (const source of trusted.length > 0 ? trusted : PUBLIC_SCHEMES)
    print(await downloadScheme(parent, source, fetchFile))
}

function defaultFolder(): string {
  const folder = defaultSchemesPath('PATH')
  process.stdout.write(`No svc_configuration path specified, using ${folder}\n`)
  makeFolder('PATH', folder)
  return folder
}

/** Verifies all schemes before it changes the first one. */
export async function update(paths: readonly string[]): Promise<void> {
  const folders = paths.length > 0 ? paths : await installedFolders()
  for (const folder of folders) readSignedFiles(folder)
  for (const folder of folders) print(await updateScheme(folder, fetchFile, { nowMs: clock.wallNow() }))
}

async function installedFolders(): Promise<readonly string[]> {
  const parent = defaultSchemesPath('PATH')
  if (isFolder(parent)) return (await findSchemes(parent)).folders
  throw new Error(
    `PATH: expected the folders of installed schemes, but there is no ${parent}; install some with svc scheme download`,
  )
}

function print({ folder, isNew, olderSec, warnings }: InstalledScheme): void {
  printWarnings(warnings)
  if (olderSec !== undefined)
    printWarnings([
      `${basename(folder)}: its server has an older version, signed at ${olderSec}; it is not taken`,
    ])
  process.stdout.write(`${basename(folder)}: ${isNew ? `written at ${folder}` : 'up to date'}\n`)
}
