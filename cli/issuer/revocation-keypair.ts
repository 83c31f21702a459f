/** Adds the keys for revocation to a key pair without them (spec/schemes-and-cli#16.7). @module */
import { completeRevocation, type IssuerKeyPair, withRevocation } from '../../crypto/issuer-key.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { readPrivateKey, readPublicKey } from '../../schemes/keys.ts'
import { inFile, SchemeError } from '../../schemes/scheme-error.ts'
import { limitOf, readLimited } from '../../schemes/signed-files.ts'
import { privateKeyXml, publicKeyXml } from '../../schemes/write-keys.ts'
import { parseXml } from '../../schemes/xml.ts'
import { replaceFiles } from '../key-files.ts'

/** The private key is replaced first. If the command is interrupted in between, running it again completes the pair.
 *  @throws {SchemeError} and both files are unchanged */
export function addRevocation(privateFile: string, publicFile: string): void {
  const pair = completed(readPair(privateFile, publicFile), publicFile)
  replaceFiles(
    { file: privateFile, option: 'PRIVATEKEY', content: privateKeyXml(pair.privateKey) },
    { file: publicFile, option: 'PUBLICKEY', content: publicKeyXml(pair.publicKey) },
  )
  process.stdout.write('Both keys support revocation now; sign the scheme again.\n')
}

function readPair(privateFile: string, publicFile: string): IssuerKeyPair {
  const privateXml = readLimited(privateFile, limitOf(privateFile))
  const privateKey = inFile(privateFile, () => readPrivateKey(parseXml(privateXml)))
  const publicXml = readLimited(publicFile, limitOf(publicFile))
  const publicKey = inFile(publicFile, () => readPublicKey(parseXml(publicXml), privateKey.counter))
  if (privateKey.p * privateKey.q !== publicKey.n)
    throw new SchemeError(privateFile, 'does not belong to the public key')
  return { privateKey, publicKey }
}

function completed(pair: IssuerKeyPair, publicFile: string): IssuerKeyPair {
  if (pair.publicKey.revocation) throw new SchemeError(publicFile, 'supports revocation already')
  return pair.privateKey.ecdsa === undefined
    ? withRevocation(pair, systemRandomness.bytes)
    : completeRevocation(pair, systemRandomness.bytes)
}
