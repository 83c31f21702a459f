/** A run of the fuzzer: inputs for all targets, chosen by a seed. A fault is reported once, with its input made as small as possible. @module */
import { inTime } from '../patience.ts'
import { minimised } from './minimise.ts'
import { randomOf } from './random.ts'
import { Strays } from './strays.ts'
import type { Input, Target } from './target.ts'
import type { UsualTime } from './usual-time.ts'

export type Finding = {
  readonly target: string
  readonly why: string
  readonly input: Input
  /** number of the input in the run */
  readonly number: number
}

export type Group = {
  readonly targets: readonly Target[]
  /** its share of the inputs, relative to other groups */
  readonly share: number
  /** Called after each interval of inputs, and at the end. @returns a fault of the state that is left; null: none */
  readonly check?: () => Promise<string | null>
}

export type Run = {
  readonly seed: number
  readonly inputs: number
  /** number of inputs between two checks of a group */
  readonly interval: number
  readonly usual?: UsualTime
  readonly onFinding?: (finding: Finding) => void
  readonly onInterval?: (done: number) => void
}

export type Report = {
  readonly findings: readonly Finding[]
  /** number of inputs by target */
  readonly counts: ReadonlyMap<string, number>
}

/** Rejections without a handler are known only after a turn of the event loop. */
const INPUTS_PER_TURN = 64

type Tried = { readonly target: Target; readonly input: Input; readonly number: number }

export async function fuzz(groups: readonly Group[], run: Run): Promise<Report> {
  const strays = new Strays()
  const found = new Map<string, Finding>()
  const counts = new Map<string, number>()
  const note = (finding: Finding | null): void => {
    if (finding === null || found.has(`${finding.target} ${finding.why}`)) return
    found.set(`${finding.target} ${finding.why}`, finding)
    run.onFinding?.(finding)
  }
  let turn: Tried[] = []
  try {
    for (let number = 0; number < run.inputs; number++) {
      const target = targetOf(groups, run.seed, number)
      const input = target.generate(randomOf(run.seed, number))
      counts.set(target.name, (counts.get(target.name) ?? 0) + 1)
      turn.push({ target, input, number })
      note(await faultOf({ target, input, number }, { run, strays, found }))
      const isEnd = (number + 1) % run.interval === 0 || number + 1 === run.inputs
      if (turn.length < INPUTS_PER_TURN && !isEnd) continue
      note(await strayOf(turn, { run, strays, found }))
      turn = []
      if (!isEnd) continue
      for (const why of await checkedGroups(groups)) note({ target: 'state', why, input: '', number })
      run.onInterval?.(number + 1)
    }
  } finally {
    strays.close()
  }
  return { findings: [...found.values()], counts }
}

async function checkedGroups(groups: readonly Group[]): Promise<string[]> {
  const whys: string[] = []
  for (const { check } of groups) whys.push(...[(await check?.()) ?? []].flat())
  return whys
}

function targetOf(groups: readonly Group[], seed: number, number: number): Target {
  const random = randomOf(seed + 1, number)
  const all = groups.reduce((sum, { share }) => sum + share, 0)
  let left = random.int(1_000_000) / 1_000_000
  for (const { targets, share } of groups) {
    left -= share / all
    if (left < 0) return random.pick(targets)
  }
  return random.pick(groups.flatMap(({ targets }) => targets))
}

type Around = {
  readonly run: Run
  readonly strays: Strays
  readonly found: ReadonlyMap<string, unknown>
}

async function faultOf(tried: Tried, around: Around): Promise<Finding | null> {
  const { target, input } = tried
  await target.prepare?.(input)
  const before = process.cpuUsage()
  const why = await faultIn(target, input)
  if (why === null) return slowOf(tried, msSince(before), around)
  return around.found.has(`${target.name} ${why}`) ? null : smallest(tried, why, around)
}

async function smallest({ target, input, number }: Tried, why: string, { strays }: Around): Promise<Finding> {
  const shows = async (smaller: Input): Promise<boolean> =>
    (await faultAlone(target, smaller, strays)) === why
  return {
    target: target.name,
    why,
    input: (await shows(input)) ? await minimised(input, shows) : input,
    number,
  }
}

/** Looks for a rejection that no code has handled, and for its input among the last ones. */
async function strayOf(turn: readonly Tried[], around: Around): Promise<Finding | null> {
  const why = await around.strays.settled()
  if (why === null) return null
  for (const tried of turn)
    if ((await faultAlone(tried.target, tried.input, around.strays)) === why)
      return smallest(tried, why, around)
  return { target: 'state', why, input: '', number: turn.at(-1)?.number ?? 0 }
}

function faultIn(target: Target, input: Input): Promise<string | null> {
  return inTime(Promise.resolve(target.tryInput(input)), `an end of an input of ${target.name}`)
}

/** The fault that an input shows without the inputs before it. */
export async function faultAlone(target: Target, input: Input, strays: Strays): Promise<string | null> {
  target.refresh?.()
  return (await faultIn(target, input)) ?? (await strays.settled())
}

/** CPU time of this process. It hardly depends on other processes. */
function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** A call that takes long once may have met the collector of garbage: it is tried three times more. */
async function slowOf(
  { target, input, number }: Tried,
  ms: number,
  { run: { usual } }: Around,
): Promise<Finding | null> {
  const part = target.partOf?.(input) ?? target.name
  const size = JSON.stringify(input).length
  if (usual === undefined || usual.note(part, size, ms) === null) return null
  let least = ms
  for (let times = 0; times < 3; times++) {
    target.refresh?.()
    await target.prepare?.(input)
    const before = process.cpuUsage()
    await faultIn(target, input)
    least = Math.min(least, msSince(before))
  }
  const why = `50 times the usual time, in ${part}`
  return usual.note(part, size, least) === null ? null : { target: target.name, why, input, number }
}
