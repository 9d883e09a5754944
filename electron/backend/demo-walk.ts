import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'

const remembered = z.object({
  /** The trading day of the demo's last session. */
  anchor: z.iso.date(),
  /** Synced stops of the walk. */
  walked: z.int().nonnegative(),
  /** The demo broker's last port; it is requested again, because tokens contain it. */
  port: z.int().nonnegative(),
})

/** What the demo remembers over a restart. */
export type DemoMemory = z.infer<typeof remembered>

/** Reads the memory; null the first time. */
export const readMemory = (file: string): DemoMemory | null => {
  try {
    return remembered.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}

/** Saves the memory, replacing the file atomically. */
export const writeMemory = (file: string, memory: DemoMemory): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify(memory), { flush: true })
  renameSync(`${file}.new`, file)
}

/** The last weekday before `now` (UTC ms), so that the demo's sessions are over and recent. */
export const anchorBefore = (now: number): string => {
  const day = new Date(now - 86_400_000)
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6) day.setUTCDate(day.getUTCDate() - 1)
  return day.toISOString().slice(0, 10)
}

/**
 * The stops of a demo run, of `stops` in all: a new connection walks from the first one to the middle of the last
 * session; any other run takes the next one, or the rest of an interrupted walk.
 */
export const stopsOf = (trigger: SyncReceipt['trigger'], walked: number, stops: number): readonly number[] => {
  const middle = Math.max(1, stops - 1)
  const connecting = trigger === 'connect'
  const from = connecting ? 0 : Math.min(walked, stops - 1)
  const to = connecting ? Math.max(walked, middle) : Math.min(Math.max(walked + 1, middle), stops)
  return Array.from({ length: to - from }, (_, index) => from + index)
}

/** The progress of one stop as progress of the whole walk. */
export const progressOfWalk = (progress: SyncProgress, index: number, stops: number): SyncProgress => {
  const last = index === stops - 1
  const phase = progress.phase === 'done' && !last ? 'saving' : progress.phase
  return { ...progress, phase, overall: Math.min(1, (index + progress.overall) / stops) }
}
