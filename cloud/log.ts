import { destination, pino, stdTimeFunctions } from 'pino'
import type { Log, LogFields } from '#shared/base/log.ts'

/** Log levels; each includes those after it. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** A log as JSON lines on stderr. Logs an error's kind, code and place, but never its message: PostgreSQL and drizzle include user data in theirs. */
export const openLog = (level: LogLevel): Log => {
  const writer = pino({ level, base: { pid: process.pid }, timestamp: stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }))
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (fields, message) => writer[name](plain(fields), message)
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

const plain = (fields: LogFields): LogFields => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? traceOf(value) : value]))

const traceOf = (error: Error): LogFields => ({
  name: error.name,
  ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
  at: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)).slice(0, 12).map((line) => line.trim()),
  ...(error.cause instanceof Error ? { cause: traceOf(error.cause) } : {}),
})
