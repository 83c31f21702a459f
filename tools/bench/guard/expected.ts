/** The expected ratios of the benchmarks (`tools/bench/expected.json`). They show a change that makes something slower, on a machine of any speed. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../../../test/project.ts'
import { type BenchmarkOutputs, benchOf, figureOf } from './figures.ts'

const FILE = join(PROJECT, 'tools/bench/expected.json')

/** By figure: a ratio for each major version of Node. */
const expectedSchema = z.strictObject({
  /** fraction by which a measured ratio may exceed the expected one */
  margin: z.number().positive(),
  ratios: z.record(z.string(), z.record(z.string(), z.number().positive())),
})

export type ExpectedFigures = z.infer<typeof expectedSchema>

export type FigureComparison = {
  readonly figure: string
  readonly expected: number
  readonly most: number
  /** null: the benchmark failed, or did not print this figure */
  readonly value: number | null
  readonly ok: boolean
}

/** @throws {Error} if its form is wrong */
export function readExpected(): ExpectedFigures {
  return expectedSchema.parse(JSON.parse(readFileSync(FILE, 'utf8')))
}

/** The benchmarks with an expected ratio for this version of Node. */
export function benchesToCompare({ ratios }: ExpectedFigures, nodeMajor: number): string[] {
  return Object.keys(ratios)
    .filter(figure => ratios[figure]?.[nodeMajor] !== undefined)
    .map(benchOf)
}

export function compareWith(
  { margin, ratios }: ExpectedFigures,
  printed: BenchmarkOutputs,
  nodeMajor: number,
): FigureComparison[] {
  return Object.entries(ratios).flatMap(([figure, byNode]) => {
    const expected = byNode[nodeMajor]
    if (expected === undefined) return []
    const most = expected * (1 + margin)
    const value = figureOf(printed, figure)
    return [{ figure, expected, most, value, ok: value !== null && value <= most }]
  })
}
