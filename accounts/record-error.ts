/** Why stored secrets could not be read: a storage key that is missing, or data that was damaged. Whoever asks gets 500, never "wrong PIN". @module */

/** Its message is for the operator; it holds no secret. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}
