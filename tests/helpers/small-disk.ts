import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Makes a folder a small disk of its own; null where none can be had, else what ends it. */
export const mountSmallDisk = (place: string, size = 'size=128m'): (() => void) | null => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', place]).status !== 0) return null
  return () => void spawnSync('umount', ['-l', place])
}

/** Fills a disk to its last byte; gives what frees it. */
export const fillUp = (place: string, name = 'filler'): (() => void) => {
  const file = join(place, name)
  for (let bytes = 1 << 20; bytes >= 1; ) {
    try {
      appendFileSync(file, Buffer.alloc(bytes))
    } catch {
      bytes >>= 1
    }
  }
  return () => rmSync(file)
}
