/** The certificates of `test/vectors/tls`, and the certificate that a listener shows. @module */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { PROJECT } from './project.ts'

/** The path of a vector: `cert.pem`, `key.pem`, and the pair that follows it, `next-cert.pem` and `next-key.pem`. */
export function tlsFile(name: string): string {
  return join(PROJECT, 'test/vectors/tls', name)
}

/** The first pair, as text. */
export function tlsPair(): { readonly cert: string; readonly key: string } {
  const [cert = '', key = ''] = ['cert.pem', 'key.pem'].map(name => readFileSync(tlsFile(name), 'utf8'))
  return { cert, key }
}

export type TlsFiles = { readonly cert: string; readonly key: string }

/** The paths of a pair in this folder. */
export function tlsFilesIn(folder: string): TlsFiles {
  return { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
}

/** Copies a pair of vectors to these paths.
 *  @param prefix `next-` for the second pair */
export function copyTls(files: TlsFiles, prefix: '' | 'next-' = ''): void {
  copyFileSync(tlsFile(`${prefix}cert.pem`), files.cert)
  copyFileSync(tlsFile(`${prefix}key.pem`), files.key)
}

/** The fingerprint of the certificate that a new connection to 127.0.0.1 gets. */
export function fingerprintAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}
