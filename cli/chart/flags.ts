/** The formats in which `svc chart` prints a chart. @module */
export const FORMATS = ['mermaid', 'json', 'svg'] as const
export type Format = (typeof FORMATS)[number]
