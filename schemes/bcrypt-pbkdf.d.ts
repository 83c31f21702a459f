/** The used part of the package `bcrypt-pbkdf`, which has no types of its own. @module */
declare module 'bcrypt-pbkdf' {
  type Bytes = Uint8Array
  const functions: {
    /** @returns 0 after it has written the output; another number for lengths or rounds that it refuses */
    readonly pbkdf: (
      passphrase: Bytes,
      passphraseLength: number,
      salt: Bytes,
      saltLength: number,
      output: Bytes,
      outputLength: number,
      rounds: number,
    ) => number
  }
  // biome-ignore lint/style/noDefaultExport: it is the only export of the package
  export default functions
}
