import { expect, onTestFinished, test, vi } from 'vitest'
import type { CopierLive } from '#shared/api/copier.ts'
import { systemTiming } from '../../brokers/timing.ts'
import { createLiveState } from './live-state.ts'
import { emptyWorld, type Group } from './world.ts'

const group: Group = { id: 'g', userId: 'ann', settings: { id: 'g', name: 'Main', leader: 'tradovate:demo:1', followers: [], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false }, state: 'off', changed: false, entries: true, followers: new Map(), left: new Map(), leaders: new Map(), storedFills: new Map(), newFills: [] }

test('computes at most four times a second, and publishes only changes', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const world = emptyWorld()
  world.groups.set('g', group)
  const looks = vi.spyOn(world.groups, 'values')
  const published: CopierLive[] = []
  const live = createLiveState({ world, dayOf: () => null, isUnsaved: () => false, timing: systemTiming, publish: (_, now) => void published.push(now) })
  const busySecond = async (): Promise<void> => {
    for (let turn = 0; turn < 100; turn += 1) {
      live.touch('ann')
      await vi.advanceTimersByTimeAsync(10)
    }
  }
  await busySecond()
  expect([looks.mock.calls.length, published.length]).toEqual([5, 1])
  world.groups.set('g', { ...group, state: 'paused' })
  await busySecond()
  expect([looks.mock.calls.length, published.map(({ groups }) => groups[0]?.state)]).toEqual([9, ['off', 'paused']])
  live.touch('ann')
  live.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(looks).toHaveBeenCalledTimes(9)
})
