/** CPU of issuance sessions (as in `issuance.ts`) of which 32 wallets submit at a time, with a prime kept for each of them, as `spare_primes` says. @module */
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
