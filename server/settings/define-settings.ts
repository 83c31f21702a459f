/** The settings of one kind of server, from one list of its options: flags, variables, files, defaults and the printed reference are all made of it.
 *  @module */
import { z } from 'zod'
import { readWithExisting } from './existing-file.ts'
import { facts, type OptionTraits } from './kinds.ts'
import {
  lookAtOptions,
  type OptionList,
  type OptionLookup,
  type ResolvedOptions,
  type Sources,
} from './resolve.ts'

type Options = Readonly<Record<string, z.ZodType>>

type Definition<Shape extends Options> = Pick<OptionList, 'name' | 'command' | 'members' | 'foreign'> & {
  /** each option with its schema, made by `kinds.ts` */
  readonly options: Shape
}

export type Settings<Shape extends Options> = OptionList & {
  readonly options: Shape
  /** @throws {FlagError} @throws {SettingsError} that names every refused option and its source, with expected and got */
  resolve(sources: Sources): ResolvedOptions<Readonly<z.output<z.ZodObject<Shape>>>>
  /** As `resolve`, but refusals are returned and not thrown, so that the caller can check the other options too. */
  look(sources: Sources): OptionLookup<Readonly<z.output<z.ZodObject<Shape>>>>
}

export function defineSettings<Shape extends Options>(definition: Definition<Shape>): Settings<Shape> {
  const { options, name, command, members, foreign } = definition
  const schema = z.object(options)
  const list = {
    name,
    command,
    members,
    foreign,
    names: Object.keys(options),
    factsOf(option: string): OptionTraits {
      const found = options[option] && facts.get(options[option])
      if (!found) throw new Error(`option ${option}: expected facts beside its schema, got none`)
      return found
    },
    defaultOf: (option: string): unknown => options[option]?.parse(undefined),
    flagOf: (option: string): string => `--${option.replaceAll('_', '-')}`,
    variableOf: (option: string): string => `${name}_${option}`.toUpperCase(),
  }
  const look: Settings<Shape>['look'] = given => {
    const { sources, warnings } = readWithExisting(list, given)
    const looked = lookAtOptions(list, schema, sources)
    return { ...looked, warnings: [...looked.warnings, ...warnings] }
  }
  return {
    ...list,
    options,
    look,
    resolve(given) {
      const { refused, options: values, warnings } = look(given)
      if (refused !== null) throw refused
      return { options: values, warnings }
    },
  }
}
