/** The description of each endpoint, by the name in the last column of the tables of routes (`http/routes.ts`, `http/keyshare/routes.ts`): a line of a table without one
 *  does not compile. @module */
import type { Profile } from '../../protocol/profiles.ts'
import { appOperations } from './app-operations.ts'
import { frontendOperations } from './frontend-operations.ts'
import {
  keyshareAccountOperations,
  keyshareProofOperations,
  previousLoginOperations,
} from './keyshare-operations.ts'
import { nodeOperations } from './node-operations.ts'
import type { Operation } from './operation.ts'
import { requestorOperations } from './requestor-operations.ts'
import { revocationOperations } from './revocation-operations.ts'
import type { Schemas } from './schemas.ts'

export type OperationName =
  | keyof ReturnType<typeof requestorOperations>
  | keyof ReturnType<typeof appOperations>
  | keyof ReturnType<typeof frontendOperations>
  | keyof ReturnType<typeof revocationOperations>
  | keyof ReturnType<typeof keyshareAccountOperations>
  | keyof ReturnType<typeof keyshareProofOperations>
  | keyof ReturnType<typeof previousLoginOperations>
  | keyof ReturnType<typeof nodeOperations>

/** An operation with its heading. */
export type TaggedOperation = Operation & { readonly tag: string }

export type Operations = Readonly<Record<OperationName, TaggedOperation>>

export function operationsOf(profile: Profile, schemas: Schemas): Operations {
  return {
    ...tagged('For requestors', requestorOperations(schemas)),
    ...tagged('For wallet apps', appOperations(schemas, profile)),
    ...tagged('For frontends', frontendOperations(schemas)),
    ...tagged('Revocation', revocationOperations(schemas)),
    ...tagged('Keyshare server', keyshareAccountOperations(schemas)),
    ...tagged('Keyshare server', previousLoginOperations()),
    ...tagged('Keyshare server', keyshareProofOperations()),
    ...tagged('The node', nodeOperations()),
  }
}

function tagged<Name extends string>(
  tag: string,
  operations: Readonly<Record<Name, Operation>>,
): Record<Name, TaggedOperation> {
  const entries = Object.entries<Operation>(operations).map(([name, operation]) => [
    name,
    { ...operation, tag },
  ])
  return Object.fromEntries(entries)
}
