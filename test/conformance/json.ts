/** Parsed JSON for tests that read its members. @module */

export type Json = ReturnType<typeof JSON.parse>
