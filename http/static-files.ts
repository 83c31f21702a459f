/** Files of one folder beside the endpoints (spec/session-server#2.6): GET and HEAD, a folder by its index.html. Nothing outside of the folder is
 *  ever read, by no spelling of a path and by no symbolic link; nothing whose name begins with a dot but the folder `.well-known`; nothing is listed.
 *  The package koa-send is not used here. This module checks the path after links are followed, opens it without following links, and sends the size of the
 *  opened file. It redirects folders to the slash, answers 304 by the time of the file, and knows the types of association files. It has neither ranges nor
 *  ETags: the files are pages of web sites, and `Last-Modified` with `no-cache` is enough for them. @module */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { MethodNotAllowedError } from '../protocol/errors.ts'
import { whenOver } from './when-over.ts'

const INDEX = 'index.html'
/** The folder that other programs look for at the top of a site (RFC 8615): links of apps, `security.txt`. */
const WELL_KNOWN = '.well-known'
/** Files of JSON that programs look up by a fixed name without an extension (the registry of RFC 8615). iOS reads the first one to open links in an app. */
const JSON_FILES: ReadonlySet<string> = new Set([
  'apple-app-site-association',
  'webauthn',
  'passkey-endpoints',
  'openid-configuration',
  'oauth-authorization-server',
  'openid-credential-issuer',
  'jwt-vc-issuer',
  'nodeinfo',
])
/** The links of the path were resolved before. A link that has replaced the file since then is not followed, and opening a pipe does not wait for its writer. */
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The error codes of a system for a name under which there is nothing to read. */
const ABSENT = new Set<string | undefined>([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EACCES',
  'EPERM',
  'ELOOP',
  'ENAMETOOLONG',
  'ENXIO',
])

export type StaticFiles = {
  /** the folder with the files */
  readonly folder: string
  /** path below which the folder is served, with a slash at its end */
  readonly prefix: string
}

/** Answers a call that no endpoint takes, if there is a file for it.
 *  @param reserved path below which there are only endpoints, with a slash at its end */
export function staticFiles({ folder, prefix }: StaticFiles, reserved: string): Middleware {
  return async function serveFile(ctx, next) {
    const isOfEndpoint = ctx.matched?.length > 0 || ctx.path.startsWith(reserved)
    const names = isOfEndpoint ? null : namesBelow(prefix, ctx.path)
    const isAnswered = names !== null && (await serve(ctx, folder, names))
    if (!isAnswered) await next()
  }
}

/** The names on a path, decoded; the last is empty for a path that ends in a slash.
 *  @returns null: none that can be served */
function namesBelow(prefix: string, path: string): string[] | null {
  if (`${path}/` === prefix) return []
  if (!path.startsWith(prefix)) return null
  const names = path.slice(prefix.length).split('/').map(decoded)
  return names.every((name, i) => isServed(name, i) || (name === '' && i === names.length - 1)) ? names : null
}

/** @returns `..`, which is never served, if the bytes are no text */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return '..'
  }
}

/** @param depth of the name below the folder, 0 at its top */
function isServed(name: string, depth: number): boolean {
  const isHidden = name.startsWith('.') && (name !== WELL_KNOWN || depth > 0)
  return name !== '' && !isHidden && !/[/\\\0]/.test(name)
}

/** The path after its symbolic links are resolved.
 *  @returns null: there is no such file, or it is outside of the folder or hidden in it */
async function realPathOf(folder: string, names: readonly string[]): Promise<string | null> {
  const root = await realpath(folder)
  const path = await unlessAbsent(realpath(join(root, ...names)))
  return path !== null && isServedBelow(root, path) ? path : null
}

/** True if a path is the folder itself, or is below it and not hidden.
 *  @param root the folder. The links of `root` and of `path` must have been resolved */
export function isServedBelow(root: string, path: string): boolean {
  return path === root || relative(root, path).split(sep).every(isServed)
}

/** @returns false: there is no file to serve */
async function serve(ctx: Context, folder: string, names: readonly string[]): Promise<boolean> {
  const path = await realPathOf(folder, names)
  if (path === null) return false
  const kind = await unlessAbsent(stat(path))
  const endsInSlash = ctx.path.endsWith('/')
  if (kind?.isFile()) return !endsInSlash && answerFile(ctx, path, names.at(-1) ?? '')
  if (!kind?.isDirectory()) return false
  const index = await realPathOf(folder, [...names, INDEX])
  if (index === null) return false
  if (endsInSlash) return answerFile(ctx, index, INDEX)
  redirectToSlash(ctx)
  return true
}

/** Relative links in an index need the slash at the end of its address. */
function redirectToSlash(ctx: Context): void {
  requireReading(ctx)
  ctx.set('Location', `./${ctx.path.slice(ctx.path.lastIndexOf('/') + 1)}/${ctx.search}`)
  ctx.status = 301
}

/** @param name by whose ending the content type is chosen
 *  @returns false: it is no file that can be read */
async function answerFile(ctx: Context, path: string, name: string): Promise<boolean> {
  requireReading(ctx)
  const file = await unlessAbsent(open(path, READ_ONLY))
  if (file === null) return false
  const facts = await file.stat()
  const isFile = facts.isFile()
  if (isFile) describeFile(ctx, facts, name)
  if (isFile && ctx.method === 'GET' && !ctx.fresh) ctx.body = await contentOf(ctx, file, facts.size)
  else await file.close()
  if (isFile) ctx.length = facts.size
  return isFile
}

/** The file is closed at the end of the stream, or when the client leaves. If the file shrank while it was sent, the connection is closed. Otherwise the client
 *  would read the next answer as the rest of the file. */
async function contentOf(ctx: Context, file: FileHandle, size: number): Promise<Readable | string> {
  if (size > 0) {
    const content = file.createReadStream({ end: size - 1 })
    whenOver(ctx, () => content.destroy())
    return content.once('end', () => content.bytesRead < size && ctx.res.destroy())
  }
  await file.close()
  return ''
}

function describeFile(ctx: Context, { mtime }: Stats, name: string): void {
  ctx.status = 200
  ctx.type = JSON_FILES.has(name) ? 'json' : extname(name)
  if (ctx.type === '') ctx.type = 'bin'
  ctx.lastModified = mtime
  ctx.set('Cache-Control', 'no-cache') // browsers ask for the file each time, and get 304 if it is unchanged
  ctx.set('X-Content-Type-Options', 'nosniff')
  if (ctx.fresh) ctx.status = 304
}

function requireReading({ method }: Context): void {
  if (method !== 'GET' && method !== 'HEAD') throw new MethodNotAllowedError(['GET', 'HEAD'])
}

async function unlessAbsent<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding
  } catch (error) {
    if (error instanceof Error && 'code' in error && ABSENT.has(String(error.code))) return null
    throw error
  }
}
