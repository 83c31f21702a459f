/** What is wrong with the settings, in one line that says expected and got, for the person who starts the program. @module */

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** The wrong value stands in a flag: wrong usage, not a wrong setting. */
export class FlagError extends SettingsError {}
