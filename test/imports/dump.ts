/** Databases of existing servers, restored from `test/vectors/imports`. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { newPostgresDatabase } from '../postgres.ts'
import { PROJECT, readVector } from '../project.ts'

export const vectorFile = (name: string): string => join(PROJECT, 'test/vectors/imports', name)

/** The storage keys of the recorded accounts: the first is the primary one. */
export const STORAGE_KEY_FILES = [
  join(PROJECT, 'test/vectors/keys/storage-key.aes'),
  vectorFile('storage-fallback-three.key'),
  vectorFile('storage-fallback-abcd.key'),
] as const

/** An account of the recorded database. */
export type RecordedAccount = {
  readonly userName: string
  readonly kind: string
  /** the PIN as the app sends it; null: the account has no record */
  readonly pin: string | null
  readonly hasDevice: boolean
  readonly attempts: number
  readonly blockSec: number
  readonly deleteSec: number | null
  readonly seenSec: number
}

export const RECORDED = readVector('imports/accounts.json') as readonly RecordedAccount[]

/** @param name of a dump @returns the address of a new database with its content */
export async function restored(name: string): Promise<string> {
  const address = await newPostgresDatabase()
  await query(address, readFileSync(vectorFile(name), 'utf8'))
  return address
}

/** @returns the rows of the last statement */
export async function query(address: string, text: string, values?: readonly unknown[]): Promise<unknown[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    const { rows } = await client.query(text, values && [...values])
    return rows
  } finally {
    await client.end()
  }
}
