/** The error for stored secrets that cannot be read: a storage key is missing, or the data is damaged. The client gets 500, never "wrong PIN".
 *  @module */

/** Its message is for the operator and contains no secret. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}
