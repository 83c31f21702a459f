/** Parsed JSON, looked into by tests. @module */

export type Json = ReturnType<typeof JSON.parse>
