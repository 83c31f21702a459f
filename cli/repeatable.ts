/** Flags that may be repeated. @module */
import { Option } from 'commander'

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

/** @returns a flag whose value is the list of all given values */
export function repeatable(flag: string, description: string): Option {
  return new Option(flag, description).argParser(collect).default([], 'none')
}
