/** The faults of a simulation: how each begins at the time in its plan, and how it ends. @module */
import { hearAgain } from './cluster-store.ts'
import type { Fault } from './plan.ts'
import type { Machine, World } from './world.ts'

/** Begins a fault, and ends it after its time. */
export async function suffer(world: World, { atMs, forMs, node, count, is }: Fault): Promise<void> {
  await world.schedule.pause(atMs)
  const machine = world.machine(node)
  const end = await BEGIN[is](world, machine, count)
  if (end === null) return
  await world.schedule.pause(forMs)
  await end()
}

/** @returns the function that ends it; null if nothing happened */
type Begin = (world: World, machine: Machine, count: number) => Promise<(() => void | Promise<void>) | null>

/** Marks the node as not well, in the history. */
function trouble(
  world: World,
  machine: Machine,
  why: string,
  end: () => void | Promise<void>,
): () => Promise<void> {
  const over = world.trouble(machine, why)
  return async () => {
    await end()
    over()
  }
}

const BEGIN: Readonly<Record<Fault['is'], Begin>> = {
  async 'the process dies'(world, machine, count) {
    const { process } = machine
    if (process === null || process.fate === 'is gone') return null
    const again = trouble(world, machine, 'died', async () => {
      process.die() // if it sent nothing in the meantime
      await world.start(machine)
    })
    process.dieAfter(count)
    return again
  },
  async 'every process dies'(world) {
    const machines = [...world.machines.values()]
    const ends = await Promise.all(machines.map(machine => BEGIN['the process dies'](world, machine, 0)))
    for (const { process } of machines) process?.die()
    return async () => void (await Promise.all(ends.map(end => end?.())))
  },
  async 'the process is stopped and started'(world, machine) {
    const { process, node } = machine
    if (process?.fate !== 'runs' || node === null) return null
    const again = trouble(world, machine, 'stopped', () => world.start(machine).then(() => {}))
    await Promise.race([node.close(), process.gone()])
    process.die()
    return again
  },
  async 'the process stands still'(world, machine) {
    const { process } = machine
    if (process?.fate !== 'runs') return null
    process.standStill()
    return trouble(world, machine, 'stood still', () => process.goOn())
  },
  async 'the store is cut off'(world, machine) {
    machine.link.isCut = true
    return trouble(world, machine, 'cut off from the store', () => {
      machine.link.isCut = false
      hearAgain(machine.link)
    })
  },
  async 'the store is slow'(world, machine) {
    machine.link.slowness = 200
    return trouble(world, machine, 'the store is slow', () => {
      machine.link.slowness = 1
    })
  },
  async 'the store answers late'(world, machine, count) {
    machine.link.lateness = (count + 1) / 32
    return trouble(world, machine, 'the store answers late', () => {
      machine.link.lateness = 0
    })
  },
  'commits fail before they are made': failing('before'),
  'commits fail after they are made': failing('after'),
  async 'changes are not heard'(world, machine) {
    machine.link.isDeaf = true
    return trouble(world, machine, 'deaf', () => {
      machine.link.isDeaf = false
      hearAgain(machine.link)
    })
  },
  async 'changes are heard twice'(_world, { link }) {
    link.hasEcho = true
    return () => {
      link.hasEcho = false
    }
  },
  async 'the clock is set'(_world, { dial }, count) {
    dial.setMs = (count - 3.5) * 1_500
    return () => {
      dial.setMs = 0
    }
  },
  async 'threads die'(world, machine, count) {
    machine.deaths = count + 1
    return trouble(world, machine, 'threads die', () => {
      machine.deaths = 0
    })
  },
  async 'calls are lost'(world, _machine, count) {
    world.network.loss = (count + 1) / 16
    return () => {
      world.network.loss = 0
    }
  },
  async 'receivers refuse'(world) {
    world.receivers = 'refuse'
    return () => {
      world.receivers = 'accept'
    }
  },
  async 'receivers do not answer'(world) {
    world.receivers = 'do not answer'
    return () => {
      world.receivers = 'accept'
    }
  },
}

function failing(when: 'before' | 'after'): Begin {
  return async (world, machine, count) => {
    machine.link.failures.push(...Array.from({ length: count + 1 }, () => when))
    return trouble(world, machine, `commits fail ${when} they are made`, () => {
      machine.link.failures.length = 0
    })
  }
}

/** Makes all machines work again. */
export async function recover(world: World): Promise<void> {
  world.network.loss = 0
  world.receivers = 'accept'
  for (const machine of world.machines.values()) {
    Object.assign(machine.link, { isCut: false, slowness: 1, lateness: 0, isDeaf: false, hasEcho: false })
    machine.dial.setMs = 0
    hearAgain(machine.link)
    machine.link.failures.length = 0
    machine.deaths = 0
    machine.process?.goOn()
    await world.start(machine)
  }
}
