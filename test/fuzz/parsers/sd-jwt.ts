/** The parsers of SD-JWT VC: keys of a wallet app, SD-JWTs of an issuer, and certificates. @module */
import { X509Certificate } from 'node:crypto'
import { readSdJwt } from '../../../libraries/wallet/sd-jwt/read.ts'
import { readKeyBindingKeys } from '../../../protocol/sd-jwt/key-binding-keys.ts'
import { readText } from '../../../protocol/shape.ts'
import { readChain } from '../../../schemes/sd-jwt/certificates.ts'
import { extensionOf, readDer } from '../../../schemes/sd-jwt/der.ts'
import type { Parser } from './parser.ts'
import { bytesIn, vectorFile } from './recorded.ts'

const chain = vectorFile('sd-jwt/pki/certs/svc-demo.gov.pem')
const recorded = JSON.parse(vectorFile('sd-jwt/batch-3.json')).exchanges[2]
const KEY_USAGE = '551d0f'

export const ofSdJwt: readonly Parser[] = [
  {
    name: 'key-binding keys',
    form: 'json',
    seeds: [JSON.stringify(recorded.request.body.keybinding_pub_keys)],
    read: text => readKeyBindingKeys(readText(text)),
  },
  { name: 'SD-JWT', form: 'text', seeds: recorded.response.body.sdjwts, read: readSdJwt },
  { name: 'certificate chain', form: 'text', seeds: [chain], read: readChain },
  {
    name: 'DER',
    form: 'text',
    seeds: [new X509Certificate(chain).raw.toString('latin1')],
    read: text => [readDer(bytesIn(text)), extensionOf(bytesIn(text), KEY_USAGE)],
  },
]
