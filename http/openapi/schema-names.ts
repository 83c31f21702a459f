/** The schemas of a description, each under one name, by which its users refer to it. @module */
import { z } from 'zod'

const ROOT = '#/components/schemas/'

export class SchemaNames {
  readonly #registry = z.registry<{ id: string }>()
  readonly #taken = new Set<string>()

  /** @param schemas whose names begin with a small letter, unlike those in the description */
  constructor(schemas: Readonly<Record<string, z.ZodType>>) {
    for (const [name, schema] of Object.entries(schemas)) this.of(schema, capital(name))
  }

  /** @param name for a schema that has none yet
   *  @returns the reference to it */
  of(schema: z.ZodType, name: string): { readonly $ref: string } {
    const known = this.#registry.get(schema)
    if (known) return { $ref: ROOT + known.id }
    if (this.#taken.has(name)) throw new TypeError(`schemas: expected one of the name ${name}, got another`)
    this.#taken.add(name)
    this.#registry.add(schema, { id: name })
    return { $ref: ROOT + name }
  }

  written(): Record<string, object> {
    const { schemas } = z.toJSONSchema(this.#registry, { io: 'input', uri: id => ROOT + id })
    const entries = Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [
      name,
      schema,
    ])
    return Object.fromEntries(entries)
  }
}

/** The text with a capital letter at its beginning, as in names of schemas. */
export function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
