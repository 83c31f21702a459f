/** CPU of issuance sessions (as in `issuance.ts`) if 32 wallets submit at once. A prime is kept for each of them, see `spare_primes`. @module */
import { measureIssuance } from './issuance/session.ts'

const WALLETS = 32

export async function run({ json }: { readonly json: boolean }): Promise<void> {
  const result = {
    name: 'burst',
    node: process.version,
    wallets: WALLETS,
    ...(await measureIssuance(WALLETS)),
  }
  if (json) console.log(JSON.stringify(result))
  else console.table(result)
}
