/** Variables of an existing server, such as `IRMASERVER_PORT` (spec/schemes-and-cli#17.2). They are read if its settings file is read, or if the profile of its
 *  wallet apps is chosen. A variable of this server overrides one of them. @module */
import { SettingsError } from './errors.ts'
import { existingVariable } from './foreign-options.ts'
import type { OptionList, Sources } from './resolve.ts'
import { foreignOption, shownName } from './unknown-names.ts'

type List = Pick<OptionList, 'names' | 'foreign' | 'variableOf'>

type Read = {
  /** text of each variable, by option name */
  readonly values: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

/** This option decides whether the variables are read, so none of them sets it. */
const CHOOSER = 'profile'

/** The existing server reads its settings file under the name in this variable. */
const FILE = 'config'

/** @returns the variables that begin as those of the existing server, by option name */
function existingVariables({ foreign }: Pick<List, 'foreign'>, variables: Sources['variables']) {
  const prefix = existingVariable(foreign, '')
  return Object.entries(variables).flatMap(([variable, text]) =>
    variable.startsWith(prefix) && text
      ? [{ variable, option: variable.slice(prefix.length).toLowerCase(), text }]
      : [],
  )
}

/** An unknown one is ignored, as there: systems make variables of such names too, as `IRMASERVER_SERVICE_HOST` for a service. */
export function readExistingVariables(list: List, variables: Sources['variables']): Read {
  const { names, foreign, variableOf } = list
  const values: Record<string, string> = {}
  const warnings: string[] = []
  const read: string[] = []
  for (const { variable, option, text } of existingVariables(list, variables)) {
    if (option === FILE)
      throw new SettingsError(`variable ${shownName(variable)}: not read; name the file with --config`)
    const own = variables[variableOf(option)]
    const shown = shownName(variable)
    const isKnown =
      (names.includes(option) && option !== CHOOSER) || foreignOption(foreign, option, text) !== undefined
    if (!isKnown) {
      warnings.push(`variable ${shown}: ignored, because ${foreign.name} has no such setting`)
    } else if (own && own !== text)
      warnings.push(`variable ${shown}: not read, because ${variableOf(option)} says another value`)
    else if ((values[option] ?? text) !== text)
      throw new SettingsError(`variable ${shown}: expected one value of ${option}, got two in two spellings`)
    else {
      values[option] = text
      read.push(shown)
    }
  }
  if (read.length > 0) warnings.unshift(`variables of ${foreign.name} are read: ${read.join(', ')}`)
  return { values, warnings }
}

/** A line for each variable that is not read. Without it, an operator would not notice that `IRMASERVER_PRODUCTION` has no effect. */
export function unreadVariables(list: List, variables: Sources['variables']): readonly string[] {
  return existingVariables(list, variables).map(
    ({ variable, option }) =>
      `variable ${shownName(variable)}: not read; use ${list.variableOf(shownName(option))}, or --profile irma, with which this variable is read`,
  )
}
