import { join } from 'node:path'
import type { Log } from '#shared/base/log.ts'
import { makeFolder } from './make-folder.ts'
import { cleanText, cleanValue } from './redact.ts'

/** Log levels; each includes those after it. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * A log in files of `folder` that begin with `name`, each at most 5 MB, six at most. Removes secrets and personal data
 * from every field and message first. A full disk does not end the program: up to a megabyte of lines waits for space.
 */
export const openLog = async (folder: string, level: LogLevel, name = 'fillbook'): Promise<{ readonly log: Log; readonly close: () => Promise<void> }> => {
  makeFolder(folder)
  const [{ pino }, { default: roll }] = await Promise.all([import('pino'), import('pino-roll')])
  // Windows allows these in no name; the log rolling rejects them on every system, with its own error.
  if (/[<>:"|?*]/.test(folder.replace(/^[A-Za-z]:/, ''))) throw Object.assign(new Error('The path of the log has a character that it cannot have'), { code: 'odd-path' })
  const file = await roll({
    file: join(folder, name),
    extension: '.log',
    size: '5m',
    sync: true,
    limit: { count: 5, removeOtherLogFiles: true },
    maxLength: 1_000_000,
  })
  file.on('error', () => undefined)
  const writer = pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, file)
  let open = true
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (fields, message) => {
      // Cleaning costs more than writing: skip it if nothing would be written.
      if (open && writer.isLevelEnabled(name)) writer[name](cleanValue(fields), cleanText(message))
    }
  return {
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    close: () =>
      new Promise((resolve) => {
        open = false
        file.once('close', resolve)
        // Lines that cannot be written now are dropped.
        file.once('error', () => resolve())
        file.end()
      }),
  }
}
