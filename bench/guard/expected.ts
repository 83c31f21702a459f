/** The ratios that the benchmarks are expected to print (`bench/expected.json`): a change that makes something slower is seen, however fast the machine is. @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from '../../test/project.ts'
import { benchOf, figureOf, type Printed } from './figures.ts'

const FILE = join(PROJECT, 'bench/expected.json')

/** By figure, a number for each major version of Node. */
const expectedSchema = z.strictObject({
  /** the part of the expected ratio that a measured one may be above it */
  margin: z.number().positive(),
  ratios: z.record(z.string(), z.record(z.string(), z.number().positive())),
})

export type Expected = z.infer<typeof expectedSchema>

export type Compared = {
  readonly figure: string
  readonly expected: number
  readonly most: number
  /** null: its benchmark failed, or printed no such figure */
  readonly value: number | null
  readonly ok: boolean
}

/** @throws {Error} of its form */
export function readExpected(): Expected {
  return expectedSchema.parse(JSON.parse(readFileSync(FILE, 'utf8')))
}

/** The benchmarks that have something to compare with this version of Node. */
export function benchesToCompare({ ratios }: Expected, nodeMajor: number): string[] {
  return Object.keys(ratios)
    .filter(figure => ratios[figure]?.[nodeMajor] !== undefined)
    .map(benchOf)
}

export function compareWith({ margin, ratios }: Expected, printed: Printed, nodeMajor: number): Compared[] {
  return Object.entries(ratios).flatMap(([figure, byNode]) => {
    const expected = byNode[nodeMajor]
    if (expected === undefined) return []
    const most = expected * (1 + margin)
    const value = figureOf(printed, figure)
    return [{ figure, expected, most, value, ok: value !== null && value <= most }]
  })
}
